import type { EndpointHealth } from '../../../commands/webhooks/change-endpoint-health.ts';
import {
  CORRECTED_SIGNAL,
  ENDPOINT_HEALTH_WORKFLOW as type,
  FAILING_SIGNAL,
  SWITCHED_OFF_SIGNAL,
} from '../../../domain/temporal-names.ts';
import { cancelledWhile, FAR_AHEAD, HOUR_MS, IDS, LONG_AGO, SOON_MS, type Branch } from './branch.ts';

const input = { endpointId: IDS.endpointId, clinicId: IDS.clinicId };
const active: EndpointHealth = { status: 'active' };
const deactivated: EndpointHealth = { status: 'deactivated' };
const anotherPage = () => IDS.deliveryId;
const switchedOff: [string, { at: string }] = [SWITCHED_OFF_SIGNAL, { at: LONG_AGO }];

function failing(dueInMs: number): EndpointHealth {
  return { status: 'failing', deactivateAt: FAR_AHEAD, dueInMs };
}

export const ENDPOINT_HEALTH_BRANCHES: Record<string, Branch> = {
  'endpoint-corrected': {
    type,
    input,
    signals: [[FAILING_SIGNAL, { deactivateAt: FAR_AHEAD }]],
    answers: { reviewEndpoint: [failing(HOUR_MS), active], sendNotificationMails: null },
    story: async (run) => {
      await run.waits();
      await run.signal(CORRECTED_SIGNAL);
    },
  },
  'endpoint-deactivated': {
    type,
    input,
    answers: { reviewEndpoint: [failing(SOON_MS), deactivated], sendNotificationMails: null },
  },
  'endpoint-switched-off': {
    type,
    input,
    answers: {
      reviewEndpoint: deactivated,
      sendNotificationMails: null,
      askDeliveriesToStop: [anotherPage, anotherPage, null],
    },
    signals: [switchedOff],
  },
  'endpoint-switched-off-while-deliveries-stop': {
    type,
    input,
    answers: {
      reviewEndpoint: deactivated,
      sendNotificationMails: null,
      askDeliveriesToStop: [{ takesLong: null }, null],
    },
    signals: [switchedOff],
    story: async (run) => {
      await run.asked('askDeliveriesToStop');
      await run.signal(SWITCHED_OFF_SIGNAL, { at: FAR_AHEAD });
      await run.asked('reviewEndpoint', 2);
      run.endLongAnswers();
    },
  },
  'endpoint-told-by-hand': {
    type,
    input,
    answers: { reviewEndpoint: active, sendNotificationMails: null },
    signals: [[SWITCHED_OFF_SIGNAL]],
  },
  'endpoint-fails-again-while-mailed': {
    type,
    input,
    answers: {
      reviewEndpoint: [active, failing(HOUR_MS), active],
      sendNotificationMails: [{ takesLong: null }, null],
    },
    story: async (run) => {
      await run.asked('sendNotificationMails');
      await run.signal(FAILING_SIGNAL, { deactivateAt: FAR_AHEAD });
      await run.waits();
      run.endLongAnswers();
      await run.signal(CORRECTED_SIGNAL);
    },
  },
  'endpoint-watched-for-long': {
    type,
    input,
    hasLongHistory: true,
    answers: { reviewEndpoint: failing(HOUR_MS), sendNotificationMails: null },
    story: async (run) => {
      await run.waits();
      await run.signal(FAILING_SIGNAL, { deactivateAt: FAR_AHEAD });
    },
  },
  'endpoint-watched-for-long-while-mailed': {
    type,
    input,
    hasLongHistory: true,
    answers: {
      reviewEndpoint: failing(HOUR_MS),
      sendNotificationMails: [{ takesLong: null }, null],
    },
    story: async (run) => {
      await run.asked('sendNotificationMails');
      for (const signals of [1, 2]) {
        await run.waits(signals);
        await run.signal(FAILING_SIGNAL, { deactivateAt: FAR_AHEAD });
      }
      await run.asked('reviewEndpoint', 3);
      run.endLongAnswers();
      await run.asked('sendNotificationMails', 2);
      await run.waits(3);
      await run.signal(FAILING_SIGNAL, { deactivateAt: FAR_AHEAD });
    },
  },
  'endpoint-cancelled-while-waiting': {
    type,
    input,
    answers: { reviewEndpoint: failing(HOUR_MS), sendNotificationMails: null },
    story: cancelledWhile('timer'),
  },
  'endpoint-cancelled-while-mailed': {
    type,
    input,
    answers: { reviewEndpoint: active, sendNotificationMails: 'fails' },
    story: cancelledWhile('sendNotificationMails'),
  },
  'endpoint-cancelled-between-pages-of-stops': {
    type,
    input,
    answers: { reviewEndpoint: active, sendNotificationMails: null, askDeliveriesToStop: anotherPage },
    signals: [switchedOff],
    story: cancelledWhile('timer'),
  },
};
