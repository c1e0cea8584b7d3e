import { raw } from '@mikro-orm/postgresql';
import { Context } from '@temporalio/activity';
import { Client, WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import { AttemptShares } from '../../sending/attempt-shares.ts';
import { createDeliveryActivities, type DeliveryActivities } from '../../activities/delivery.activities.ts';
import { createEndpointHealthActivities } from '../../activities/endpoint-health.activities.ts';
import { DeferredRetries } from '../../activities/deferred-retries.ts';
import { createSendAttempt } from '../../sending/send-attempt.ts';
import { withSafeFailures } from '../../activities/each-activity.ts';
import { createMailer } from '../../adapters/mail/mailer.ts';
import type { WebhookClient } from '../../adapters/webhooks/webhook-client.ts';
import { createEndpoint } from '../../commands/webhooks/save-endpoint.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import {
  WebhookEndpointEntity,
  type WebhookEndpointRow,
} from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { listNotifications } from '../../db/webhooks/endpoints/notifications.ts';
import type { NotificationRow } from '../../db/entities/webhooks/notification.entity.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { claimFirstAttempts } from '../../db/outbox/claim-first-attempts.ts';
import { claimMessages } from '../../db/outbox/claim-messages.ts';
import type { ClaimedRow } from '../../db/outbox/claim-rows.ts';
import { deleteClaimed } from '../../db/outbox/settle-messages.ts';
import {
  CLINIC_QUEUE,
  endpointHealthWorkflowId,
  WEBHOOK_DELIVERY_QUEUE,
} from '../../domain/temporal-names.ts';
import { createCarryOut, createStartWorkflow } from '../../worker/temporal/carry-out.ts';
import { deliveryStart } from '../../worker/temporal/workflow-starts.ts';
import { aClinic, asOperator } from '../support/clinic.ts';
import { createTestDatabase, openDatabaseAt } from '../support/database.ts';
import { aLease } from '../support/leases.ts';
import { testLogger } from '../support/test-logger.ts';
import { until } from '../support/until.ts';
import { startTimeSkipping, type TimeSkipping } from '../workflows/time-skipping.ts';
import { startMailServer, type MailServer } from './endpoints/mail-server.ts';
import { anEventFor } from './recorded-attempts.ts';

/** The real rows, workflows and activities with the real constants, in a time that jumps; only the receiver is played. */
export interface SkippedTime {
  time: TimeSkipping;
  database: Database;
  mailServer: MailServer;
  /** An endpoint of a clinic of its own; its receiver answers 500. */
  endpoint(options?: { email?: string | null }): Promise<PlayedEndpoint>;
  /** Runs the workers while `story` is told. */
  working<T>(story: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface PlayedEndpoint {
  tenantId: string;
  endpointId: string;
  /** What the receiver answers from now on. */
  answers(status: number): void;
  /** Something happens in the clinic; returns the delivery of its event. Outbox rows wait for `dispatch`. */
  event(): Promise<WebhookDeliveryRow>;
  /** Carries the outbox to Temporal, to the last row. */
  dispatch(): Promise<void>;
  /** Waits for the delivery's workflow, through all its attempts. */
  delivered(delivery: WebhookDeliveryRow): Promise<WebhookDeliveryRow>;
  /** An event whose six attempts fail, up to what the failure asks of Temporal. */
  useUpAnEvent(): Promise<WebhookDeliveryRow>;
  /** Waits, while time stands, until no mail is due. */
  mailed(): Promise<void>;
  row(): Promise<WebhookEndpointRow>;
  delivery(id: string): Promise<WebhookDeliveryRow>;
  notifications(): Promise<NotificationRow[]>;
  /** Waiting for its result does not move the time. */
  health(): WorkflowHandle;
  /** Lets the 24 hours pass; returns the result of the endpoint's workflow. */
  graceEnds(): Promise<unknown>;
  now(): Promise<Date>;
  /** For what a person does: the time is the skipped one. */
  operator(): Promise<ReturnType<typeof asOperator>>;
}

export const MAIL_FROM = 'Webhooks <webhooks@service.example>';

export async function startSkippedTime(): Promise<SkippedTime> {
  const testDatabase = await createTestDatabase();
  const database = await openDatabaseAt(testDatabase.url, { applicationName: 'skipped time' });
  const [time, mailServer] = await Promise.all([startTimeSkipping(), startMailServer()]);
  const mailer = createMailer({ smtpUrl: mailServer.url, from: MAIL_FROM });
  const { ciphers } = database;
  const receiver = { status: 500 };
  const common = { database, ciphers, mailer, logger: testLogger(), clock };
  const webhookClient: WebhookClient = {
    post: async () => playedAnswer(receiver.status),
    close: async () => undefined,
  };
  const sendNow = createSendAttempt({ ...common, webhookClient });
  const deliveries = dueBySkippedTime(
    database,
    createDeliveryActivities({
      ...common,
      send: (delivery, number, askedAt) =>
        sendNow({ ...delivery, readAtMs: clock().getTime() }, number, askedAt),
      retries: new DeferredRetries({ ...common, shares: new AttemptShares(), signalRoom: async () => false }),
    }),
  );
  const health = createEndpointHealthActivities(common);

  return {
    time,
    database,
    mailServer,
    async endpoint({ email = 'geral@sorriso.example' } = {}) {
      receiver.status = 500;
      const ids = await anEndpointWith({ database, email });
      return playedEndpoint({ database, time, receiver, ...ids });
    },
    working: (story) =>
      time.withActivities(WEBHOOK_DELIVERY_QUEUE, withSafeFailures(deliveries), () =>
        time.withActivities(CLINIC_QUEUE, withSafeFailures(health), story),
      ),
    async close() {
      mailer?.close();
      await mailServer.close();
      await time[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await testDatabase[Symbol.asyncDispose]();
    },
  };
}

/** The time of Temporal's server when it handed the activity out. */
function clock(): Date {
  return new Date(Context.current().info.currentAttemptScheduledTimestampMs);
}

/** The database's clock, which says whether an attempt is due, does not jump: what is due by the skipped time is made so by both, and pauses end by it. */
function dueBySkippedTime(database: Database, activities: DeliveryActivities): DeliveryActivities {
  return {
    ...activities,
    async attemptDelivery(input) {
      const isDue = { id: input.deliveryId, nextAttemptAt: { $lte: clock() } };
      await database.em().nativeUpdate(WebhookDeliveryEntity, isDue, { nextAttemptAt: raw('now()') });
      const hasEnded = { pausedUntil: { $lte: clock() } };
      await database.em().nativeUpdate(WebhookEndpointEntity, hasEnded, { pausedUntil: null });
      return activities.attemptDelivery(input);
    },
  };
}

function playedAnswer(status: number) {
  const succeeded = status < 300;
  return {
    outcome: succeeded ? ('succeeded' as const) : ('failed' as const),
    errorClass: succeeded ? null : ('http_5xx' as const),
    responseStatus: status,
    responseExcerpt: '',
    tlsFault: null,
    durationMs: 0,
  };
}

async function anEndpointWith({ database, email }: { database: Database; email: string | null }) {
  const { tenantId } = await aClinic(database);
  const url = 'https://pms.example/hook?token=hidden';
  const input = { tenantId, url, events: ['*'], description: null };
  const { endpoint } = await database.write(async (em) => {
    await em.nativeUpdate(TenantEntity, { id: tenantId }, { email, config: { language: 'en' } });
    return createEndpoint(em, input, asOperator());
  });
  return { tenantId, endpointId: endpoint.id };
}

/** The delivery, once its attempt that is due has been made. */
function settledSince(delivery: WebhookDeliveryRow, now: Date): WebhookDeliveryRow | null {
  return delivery.nextAttemptAt && delivery.nextAttemptAt <= now ? null : delivery;
}

/** The time-skipping server finds no workflow to signal when it ends at that moment, nor starts one; a dispatcher asks again. */
function again(call: () => Promise<unknown>): Promise<unknown> {
  return call().catch((error: unknown) => {
    if (error instanceof WorkflowNotFoundError) return call();
    throw error;
  });
}

function everything() {
  const all = { ids: [], free: [], unlisted: 64 };
  return { limit: 64, free: { endpoint: all, clinic: all, host: all } };
}

function playedEndpoint({
  database,
  time,
  receiver,
  tenantId,
  endpointId,
}: {
  database: Database;
  time: TimeSkipping;
  receiver: { status: number };
  tenantId: string;
  endpointId: string;
}): PlayedEndpoint {
  const { nativeConnection, namespace = 'default' } = time.environment;
  // Not the environment's own client: time would run, and far, while that one waits for a result.
  const worker = new Client({ connection: nativeConnection, namespace });
  const telling = { temporal: { client: () => worker }, onStart: () => undefined };
  const [carryOut, start] = [createCarryOut(telling), createStartWorkflow(telling)];
  const done = (rows: ClaimedRow[]) => deleteClaimed(database.em(), rows);
  const played: PlayedEndpoint = {
    tenantId,
    endpointId,
    answers: (status) => void (receiver.status = status),
    event: async () => anEventFor(database, { tenantId, endpointId }, await played.now()),
    async dispatch() {
      const workerId = await aLease(database.em());
      for (;;) {
        const messages = await claimMessages(database.em(), workerId, 64);
        for (const { message } of messages) await again(() => carryOut(message));
        await done(messages);
        const { rows: deliveries } = await claimFirstAttempts(database.em(), { workerId, ...everything() });
        // Their workflows make the first attempts, because those take the skipped time.
        for (const { delivery } of deliveries) {
          if (delivery) await start(deliveryStart({ ...delivery, ...delivery.progress }, {}));
        }
        await done(deliveries);
        if (messages.length + deliveries.length === 0) return;
      }
    },
    async delivered({ id, workflowId }) {
      for (;;) {
        const delivery = await until('the attempt', async () =>
          settledSince(await played.delivery(id), await played.now()),
        );
        if (!delivery.nextAttemptAt) break;
        await time.environment.sleep(delivery.nextAttemptAt.getTime() - (await time.now()) + 1);
      }
      await worker.workflow.getHandle(String(workflowId)).result();
      return played.delivery(id);
    },
    async useUpAnEvent() {
      const delivery = await played.event();
      await played.dispatch();
      const failed = await played.delivered(delivery);
      await played.dispatch();
      return failed;
    },
    async mailed() {
      await until('the mails to be sent', async () =>
        (await played.notifications()).every(({ mail }) => mail !== 'due'),
      );
    },
    row: () => database.em().findOneOrFail(WebhookEndpointEntity, { id: endpointId }),
    delivery: (id) => database.em().findOneOrFail(WebhookDeliveryEntity, { id }),
    notifications: () => listNotifications(database.em(), { tenantId, before: undefined, limit: 100 }),
    health: () => worker.workflow.getHandle(endpointHealthWorkflowId(endpointId)),
    async graceEnds() {
      const { deactivateAt } = await played.row();
      await time.environment.sleep((deactivateAt?.getTime() ?? 0) - (await time.now()) + 1);
      return played.health().result();
    },
    now: async () => new Date(await time.now()),
    operator: async () => asOperator(await played.now()),
  };
  return played;
}
