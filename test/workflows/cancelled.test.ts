import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { CancelledFailure, Client, WorkflowFailedError } from '@temporalio/client';
import {
  CLINIC_QUEUE,
  DELIVERY_WORKFLOW,
  ENDPOINT_HEALTH_WORKFLOW,
  NO_SHOW_WORKFLOW,
  RECALL_SCAN_WORKFLOW,
  RECONCILE_WORKFLOW,
  RETENTION_WORKFLOW,
  REPLAY_WORKFLOW,
  WEBHOOK_DELIVERY_QUEUE,
} from '../../domain/temporal-names.ts';
import { until } from '../support/until.ts';
import { playActivities, type Answer } from './played-activities.ts';
import { startTimeSkipping } from './time-skipping.ts';
import { forSuite } from '../support/for-suite.ts';

const END_LIMIT_MS = 120_000;

const time = await forSuite(startTimeSkipping());

const FAILING = { status: 'failing', deactivateAt: '2100-01-01T00:00:00.000Z', dueInMs: 86_400_000 };
const ACTIVE = { status: 'active' };
const RETRYING = {
  status: 'retrying',
  attempts: 1,
  lastOutcome: 'http_5xx (500)',
  nextAttemptAt: '2100-01-01T00:00:00.000Z',
};
const IDS = { clinicId: randomUUID(), endpointId: randomUUID(), appointmentId: randomUUID() };
const DUE = { ...IDS, dueAt: '2020-01-01T00:00:00.000Z' };
const AHEAD = { ...IDS, dueAt: '2100-01-01T00:00:00.000Z' };
const SWITCHED_OFF = { signal: 'switchedOff', signalArgs: [{ at: '2020-01-01T00:00:00.000Z' }] };

interface Situation {
  type: string;
  answers: Record<string, Answer>;
  /** The last activity that is asked before the cancellation; none: the workflow only waits. */
  asks?: string;
  input?: object;
  signal?: { signal: string; signalArgs: unknown[] };
}

const situations: [string, Situation][] = [
  [
    'a no-show timer that waits for a check-in',
    { type: NO_SHOW_WORKFLOW, input: AHEAD, answers: { markNoShow: 'fails' } },
  ],
  [
    'a no-show timer whose database is away',
    { type: NO_SHOW_WORKFLOW, input: DUE, answers: { markNoShow: 'fails' }, asks: 'markNoShow' },
  ],
  [
    'a no-show timer while the no-show is marked',
    { type: NO_SHOW_WORKFLOW, input: DUE, answers: { markNoShow: { takesLong: null } }, asks: 'markNoShow' },
  ],
  [
    'a delivery that waits for its retry',
    { type: DELIVERY_WORKFLOW, answers: { attemptDelivery: RETRYING }, asks: 'attemptDelivery' },
  ],
  [
    'a delivery whose attempt cannot be made',
    { type: DELIVERY_WORKFLOW, answers: { attemptDelivery: 'fails' }, asks: 'attemptDelivery' },
  ],
  [
    'the watch over an endpoint while it waits',
    {
      type: ENDPOINT_HEALTH_WORKFLOW,
      answers: { reviewEndpoint: FAILING, sendNotificationMails: null },
      asks: 'sendNotificationMails',
    },
  ],
  [
    'the watch over an endpoint while its database is away',
    { type: ENDPOINT_HEALTH_WORKFLOW, answers: { reviewEndpoint: 'fails' }, asks: 'reviewEndpoint' },
  ],
  [
    'the watch over a failing endpoint while a mail is retried',
    {
      type: ENDPOINT_HEALTH_WORKFLOW,
      answers: { reviewEndpoint: FAILING, sendNotificationMails: 'fails' },
      asks: 'sendNotificationMails',
    },
  ],
  [
    'the watch over a corrected endpoint while a mail is sent',
    {
      type: ENDPOINT_HEALTH_WORKFLOW,
      answers: { reviewEndpoint: ACTIVE, sendNotificationMails: { takesLong: null } },
      asks: 'sendNotificationMails',
    },
  ],
  [
    'the watch over an endpoint while deliveries are told to stop',
    {
      type: ENDPOINT_HEALTH_WORKFLOW,
      answers: { reviewEndpoint: ACTIVE, sendNotificationMails: null, askDeliveriesToStop: 'fails' },
      asks: 'askDeliveriesToStop',
      signal: SWITCHED_OFF,
    },
  ],
  [
    'a replay between two pages',
    {
      type: REPLAY_WORKFLOW,
      answers: { replayPage: { deliveries: 9, isFinished: false } },
      asks: 'replayPage',
    },
  ],
  [
    'a replay whose database is away',
    { type: REPLAY_WORKFLOW, answers: { replayPage: 'fails' }, asks: 'replayPage' },
  ],
  [
    'a recall scan between two shares',
    {
      type: RECALL_SCAN_WORKFLOW,
      answers: { scanRecalls: { isFinished: false, from: null, recalls: 0, clinics: 0 } },
      asks: 'scanRecalls',
    },
  ],
  [
    'a reconciliation whose database is away',
    { type: RECONCILE_WORKFLOW, answers: { reconcile: 'fails' }, asks: 'reconcile' },
  ],
  [
    'a run of retention whose database is away',
    { type: RETENTION_WORKFLOW, answers: { prune: 'fails' }, asks: 'prune' },
  ],
];

test.each(situations)('%s tells how it stands, and ends when it is cancelled', async (_name, situation) => {
  const { called, end, activities } = playActivities(situation.answers);
  const { nativeConnection, namespace = 'default' } = time.environment;
  // Not the environment's own client: time would run while that one waits for a result.
  const client = new Client({ connection: nativeConnection, namespace });
  const taskQueue = situation.type === DELIVERY_WORKFLOW ? WEBHOOK_DELIVERY_QUEUE : CLINIC_QUEUE;
  const options = { taskQueue, workflowId: randomUUID(), args: [situation.input ?? IDS] };
  await time.withActivities(taskQueue, activities, async () => {
    const handle = situation.signal
      ? await client.workflow.signalWithStart(situation.type, { ...options, ...situation.signal })
      : await client.workflow.start(situation.type, options);
    const { asks } = situation;
    if (asks) await until(`a question to ${asks}`, () => called.includes(asks));
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(currentDetails).toMatch(/^[A-Z]/);
    await handle.cancel();
    const failure: unknown = await client
      .withDeadline(Date.now() + END_LIMIT_MS, () => handle.result())
      .catch((error: unknown) => error);
    end();
    if (!(failure instanceof WorkflowFailedError)) await handle.terminate();
    expect(failure).toBeInstanceOf(WorkflowFailedError);
    expect(failure).toMatchObject({ cause: expect.any(CancelledFailure) });
  });
});

test('a signal that an operator sends by hand, without its details, only makes the watch look at its endpoint', async () => {
  const { called, activities } = playActivities({ reviewEndpoint: ACTIVE, sendNotificationMails: null });
  const { nativeConnection, namespace = 'default' } = time.environment;
  const client = new Client({ connection: nativeConnection, namespace });
  const options = { taskQueue: CLINIC_QUEUE, workflowId: randomUUID(), args: [IDS], signalArgs: [] };
  await time.withActivities(CLINIC_QUEUE, activities, async () => {
    const signal = { ...options, signal: 'switchedOff' };
    const handle = await client.workflow.signalWithStart(ENDPOINT_HEALTH_WORKFLOW, signal);
    const result: unknown = await client.withDeadline(Date.now() + END_LIMIT_MS, () => handle.result());
    expect(result).toEqual({ status: 'active' });
  });
  expect(called).toEqual(['reviewEndpoint', 'sendNotificationMails']);
});
