import type { AttemptReport, DeliveryReport, FinalStatus } from '../../../sending/delivery-report.ts';
import {
  BURST_WORKFLOW,
  DELIVERY_WORKFLOW as type,
  RETRY_NOW_SIGNAL,
  ROOM_SIGNAL,
  STOP_SIGNAL,
} from '../../../domain/temporal-names.ts';
import { cancelledWhile, HOUR_MS, IDS, inMs, SOON_MS, type Branch } from './branch.ts';

const { deliveryId, clinicId, endpointId } = IDS;
const input = { deliveryId, clinicId };
const putOff = { status: 'deferred', attempts: 0 } satisfies AttemptReport;
const MAX_DEFERRALS_IN_A_RUN = 100;

function retrying(attempts: number, afterMs: number): DeliveryReport {
  return { status: 'retrying', attempts, lastOutcome: 'http_5xx (503)', nextAttemptAt: inMs(afterMs) };
}

function ended(status: FinalStatus, attempts: number): DeliveryReport {
  return { status, attempts, lastOutcome: status === 'succeeded' ? 'succeeded' : 'http_5xx (503)' };
}

/** Its next attempt is an hour away when the workflow is started. */
const waiting = { ...input, first: retrying(1, HOUR_MS) };
const unrecorded = {
  number: 1,
  outcome: 'failed',
  errorClass: 'http_5xx',
  responseStatus: 503,
  durationMs: 9,
  startedAt: inMs(0),
};

export const DELIVERY_BRANCHES: Record<string, Branch> = {
  'delivery-recorded-as-succeeded': { type, input: { ...input, first: ended('succeeded', 1) } },
  'delivery-recorded-as-failed': { type, input: { ...input, first: ended('failed', 1) } },
  'delivery-succeeded': { type, input, answers: { attemptDelivery: ended('succeeded', 1) } },
  'delivery-unknown': { type, input, answers: { attemptDelivery: ended('unknown', 0) } },
  'delivery-with-an-unrecorded-attempt': {
    type,
    input: { ...input, unrecorded },
    answers: { recordAttempt: () => retrying(1, SOON_MS), attemptDelivery: ended('succeeded', 2) },
  },
  'delivery-failed-six-times': {
    type,
    input: { ...input, first: retrying(1, -HOUR_MS) },
    answers: {
      attemptDelivery: [2, 3, 4, 5]
        .map((attempts) => () => retrying(attempts, SOON_MS))
        .concat(() => ended('failed', 6)),
    },
  },
  'delivery-retried-now': {
    type,
    input: waiting,
    answers: { attemptDelivery: [retrying(2, HOUR_MS), ended('succeeded', 3)] },
    story: async (run) => {
      await run.waits();
      await run.signal(RETRY_NOW_SIGNAL);
      await run.waits(2);
      await run.signal(RETRY_NOW_SIGNAL, { isDue: true });
    },
  },
  'delivery-asked-too-early': {
    type,
    input: { ...input, first: retrying(1, -HOUR_MS) },
    answers: {
      attemptDelivery: [{ ...retrying(1, -HOUR_MS), notDueForMs: SOON_MS }, ended('succeeded', 2)],
    },
  },
  'delivery-stopped': {
    type,
    input: waiting,
    answers: { reviewDelivery: [retrying(1, HOUR_MS), ended('skipped', 1)] },
    story: async (run) => {
      await run.waits();
      await run.signal(STOP_SIGNAL);
      await run.waits(2);
      await run.signal(STOP_SIGNAL);
    },
  },
  'delivery-put-off': {
    type,
    input,
    answers: { attemptDelivery: [putOff, putOff, ended('succeeded', 1)] },
    story: async (run) => {
      await run.waits();
      await run.signal(ROOM_SIGNAL);
    },
  },
  'delivery-of-a-paused-endpoint': {
    type,
    input,
    answers: {
      attemptDelivery: [{ ...putOff, isPaused: true, askAgainMs: SOON_MS }, ended('succeeded', 1)],
    },
  },
  'delivery-stopped-while-put-off': {
    type,
    input,
    answers: { attemptDelivery: [putOff, ended('skipped', 0)] },
    story: async (run) => {
      await run.waits();
      await run.signal(STOP_SIGNAL);
    },
  },
  'delivery-put-off-for-long': {
    type,
    input,
    answers: { attemptDelivery: putOff },
    story: async (run) => {
      for (let times = 1; times < MAX_DEFERRALS_IN_A_RUN; times += 1) {
        await run.asked('attemptDelivery', times);
        await run.signal(ROOM_SIGNAL);
      }
    },
  },
  'delivery-cancelled-while-waiting': { type, input: waiting, story: cancelledWhile('timer') },
  'delivery-cancelled-while-attempted': {
    type,
    input,
    answers: { attemptDelivery: 'fails' },
    story: cancelledWhile('attemptDelivery'),
  },
  'delivery-cancelled-while-put-off': {
    type,
    input,
    answers: { attemptDelivery: putOff },
    story: cancelledWhile('timer'),
  },
  burst: {
    type: BURST_WORKFLOW,
    input: {
      clinicId,
      deliveries: [
        {
          deliveryId,
          eventId: 'evt_0195571c5a607a3e9f002f5d1c9b7a30',
          eventType: 'appointment.created',
          appointmentId: IDS.appointmentId,
          endpointId,
          outcome: 'succeeded',
        },
      ],
    },
  },
};
