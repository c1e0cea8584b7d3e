import { Client } from '@temporalio/client';
import { AttemptShares } from '../sending/attempt-shares.ts';
import { createSendAttempt } from '../sending/send-attempt.ts';
import type { WebhookClient } from '../adapters/webhooks/webhook-client.ts';
import { watchAcknowledgements } from './acknowledgement-watch.ts';
import { sendPatientMails, type PatientMails } from './patient-mails.ts';
import type { WorkerConfig } from './config.ts';
import { watchReminders } from './reminder-watch.ts';
import type { WorkerMetrics } from './metrics/worker-metrics.ts';
import { createCarryOut, createReachTemporal, createStartWorkflow } from './temporal/carry-out.ts';
import { startOutboxDispatcher } from './outbox/outbox-dispatcher.ts';
import { traceDispatchedAttempts } from './tracing/trace-work.ts';
import {
  startQueueWorkers,
  type QueueWorkerOptions,
  type QueueWorkers,
  type ReachedTemporal,
} from './queue-workers.ts';

export interface ServiceWorkerOptions extends QueueWorkerOptions, Omit<WorkerMetrics, 'expose'> {
  dashboardUrl?: WorkerConfig['dashboardUrl'];
  databaseUrl: string;
  /** Null when this deployment sends no mail, or its mails could have no link. */
  patientMails?: PatientMails | null;
  webhookClient: WebhookClient;
  /** The address of a patient's page; null without pages. */
  patientUrlOf: ((appointmentId: string) => string) | null;
}

export type ServiceWorker = ReturnType<typeof startServiceWorker>;

/**
 * Everything between the outbox and the receivers: the outbox dispatcher, the watches of acknowledgements and reminders,
 * mails to patients and, once Temporal is reached, the workers of all queues.
 */
export function startServiceWorker(options: ServiceWorkerOptions) {
  const shares = new AttemptShares();
  const send = options.measureAttempts(createSendAttempt({ ...options, ciphers: options.database.ciphers }));
  const dispatcher = startOutboxDispatcher({
    ...options,
    shares,
    send: traceDispatchedAttempts(options.tracing, send),
    startsPerSecond: options.workflows.startsPerSecond,
    start: createStartWorkflow(options),
    reachTemporal: createReachTemporal(options),
    carryOut: createCarryOut(options),
  });
  const stopping = new AbortController();
  const watches = startWatches(options, stopping.signal);
  const ended = Promise.withResolvers<void>();
  // A caller of `stop` that does not await `ended` gets the failure there.
  ended.promise.catch(() => undefined);
  let queues: QueueWorkers | null = null;
  return {
    /** Settles when the first part ends. Before `stop` is called, a part ends only if it fails. */
    ended: ended.promise,
    /** Starts the workers of all queues, then opens the door. Work that does not need Temporal has started before. */
    async join(reached: ReachedTemporal): Promise<void> {
      const client = new Client(reached);
      const { lease } = dispatcher;
      const started = await startQueueWorkers({ ...options, ...reached }, { client, shares, send, lease });
      started.ended.then(ended.resolve, ended.reject);
      queues = started;
      // After the workers, because eager starts fill their slots.
      options.temporal.open(client);
    },
    /** Takes no more work and waits for work in progress. Rejects when a part has failed. */
    async stop(): Promise<void> {
      stopping.abort();
      const parts = [dispatcher.stop(), ...watches, queues?.stop() ?? Promise.resolve()];
      await Promise.allSettled(parts);
      await Promise.all(parts);
    },
  };
}

/** What is looked for by time, in PostgreSQL alone. */
function startWatches(options: ServiceWorkerOptions, signal: AbortSignal): Promise<void>[] {
  const { patientMails } = options;
  const patientUrlOf = options.patientUrlOf ?? (() => null);
  return [
    watchAcknowledgements(options, signal),
    watchReminders({ ...options, patientUrlOf }, signal),
    ...(patientMails ? [sendPatientMails(patientMails, options, signal)] : []),
  ];
}
