import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { deactivateEndpoint, enableEndpoint } from '../../../commands/webhooks/change-endpoint-health.ts';
import { sendTestEvent } from '../../../commands/webhooks/send-test-event.ts';
import { updateEndpoint } from '../../../commands/webhooks/save-endpoint.ts';
import { NotificationEntity } from '../../../db/entities/webhooks/notification.entity.ts';
import { WebhookDeliveryEntity } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { WebhookEndpointEntity } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { isPassingFailure } from '../../../db/connection/database-errors.ts';
import { notificationMessage } from '../../../domain/webhooks/endpoint-notification.ts';
import { adminWith, itemsOf } from '../../admin/admin-runs.ts';
import { aClinic, anEndpoint, asOperator } from '../../support/clinic.ts';
import { suiteDatabase } from '../../support/database.ts';
import { anEventFor, anEventUsedUp, attempted } from '../recorded-attempts.ts';

const DAY_MS = 86_400_000;

const database = await suiteDatabase({ applicationName: 'health rows' });

async function place() {
  const { tenantId } = await aClinic(database);
  return { tenantId, endpointId: await anEndpoint(database, tenantId) };
}

type Place = Awaited<ReturnType<typeof place>>;

function endpointOf({ endpointId }: Place) {
  return database.em().findOneOrFail(WebhookEndpointEntity, { id: endpointId });
}

function notificationsOf({ endpointId }: Place) {
  return database.em().find(NotificationEntity, { endpointId }, { orderBy: { id: 'asc' } });
}

async function messagesOf({ endpointId }: Place): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    SELECT message->>'kind' AS kind FROM outbox WHERE ordering_key = ${`endpoint:${endpointId}`} ORDER BY id
  `.execute(database.em().getKysely());
  return rows.map(({ kind }) => kind);
}

async function firstAttemptsAskedFor({ endpointId }: Place): Promise<number> {
  const { rows } = await sql`
    SELECT FROM outbox WHERE message ->> 'kind' = 'startDelivery' AND message ->> 'endpointId' = ${endpointId}
  `.execute(database.em().getKysely());
  return rows.length;
}

function deactivate({ tenantId, endpointId }: Place, now: Date) {
  return database.write((em) => deactivateEndpoint(em, { tenantId, endpointId }, now));
}

test('five failures of an event leave the endpoint active, the sixth makes it failing', async () => {
  const at = await place();
  const delivery = await anEventFor(database, at);
  for (const number of [1, 2, 3, 4, 5]) await attempted(database, delivery, { number, status: 500 });
  expect((await endpointOf(at)).status).toBe('active');
  await attempted(database, delivery, { number: 6, status: 500 });
  expect((await endpointOf(at)).status).toBe('failing');
  expect(await messagesOf(at)).toEqual(['endpointFailing']);
});

test('recording the sixth failure twice, and those of many events at once, notifies once', async () => {
  const at = await place();
  const deliveries = await Promise.all(Array.from({ length: 8 }, () => anEventFor(database, at)));
  await Promise.all(
    [...deliveries, ...deliveries].map((delivery) =>
      attempted(database, delivery, { number: 6, status: 500 }),
    ),
  );
  expect(await notificationsOf(at)).toHaveLength(1);
  expect(await messagesOf(at)).toEqual(['endpointFailing']);
});

test('a test event does not touch the health, whatever becomes of it', async () => {
  const at = await place();
  const sent = await database.write((em) => sendTestEvent(em, { ...at, exampleOf: null }, asOperator()));
  const failed = await database.em().findOneOrFail(WebhookDeliveryEntity, { id: sent.deliveryId });
  expect(await attempted(database, failed, { number: 1, status: 500 })).toMatchObject({ status: 'failed' });
  expect((await endpointOf(at)).status).toBe('active');

  await anEventUsedUp(database, at);
  const second = await database.write((em) => sendTestEvent(em, { ...at, exampleOf: null }, asOperator()));
  const received = await database.em().findOneOrFail(WebhookDeliveryEntity, { id: second.deliveryId });
  expect(await attempted(database, received, { number: 1, status: 200 })).toMatchObject({
    status: 'succeeded',
  });
  expect((await endpointOf(at)).status).toBe('failing');
});

test('a 2xx that was still in flight at the deactivation counts for its delivery, not for the endpoint', async () => {
  const at = await place();
  const inFlight = await anEventFor(database, at);
  await anEventUsedUp(database, at);
  await deactivate(at, new Date(Date.now() + DAY_MS + 1000));
  const skipped = await database.em().findOneOrFail(WebhookDeliveryEntity, { id: inFlight.id });
  expect(skipped.status).toBe('skipped');

  expect(await attempted(database, inFlight, { number: 1, status: 200 })).toMatchObject({
    status: 'succeeded',
  });
  expect((await endpointOf(at)).status).toBe('deactivated');
});

test('a failure that was still in flight at the deactivation does not reopen its delivery', async () => {
  const at = await place();
  const inFlight = await anEventFor(database, at);
  await anEventUsedUp(database, at);
  await deactivate(at, new Date(Date.now() + DAY_MS + 1000));
  expect(await attempted(database, inFlight, { number: 1, status: 500 })).toMatchObject({
    status: 'skipped',
    nextAttemptAt: null,
  });
});

test('a last failure on the old URL, still in flight when the URL was changed, does not count', async () => {
  const at = await place();
  const startedAt = new Date();
  const delivery = await anEventFor(database, at, startedAt);
  const fields = { url: 'https://pms.example/new' };
  const later = asOperator(new Date(startedAt.getTime() + 1000));
  await database.write((em) => updateEndpoint(em, { ...at, fields }, later));
  await attempted(database, delivery, { number: 6, status: 500, startedAt });
  expect((await endpointOf(at)).status).toBe('active');

  const afterwards = new Date(startedAt.getTime() + 2000);
  await anEventUsedUp(database, at, afterwards);
  expect((await endpointOf(at)).status).toBe('failing');
});

test('a URL given as it is, or another description, does not correct a failing endpoint', async () => {
  const at = await place();
  await anEventUsedUp(database, at);
  const { url } = await endpointOf(at);
  const fields = { url: String(url), description: 'Practice management' };
  await database.write((em) => updateEndpoint(em, { ...at, fields, enabled: true }, asOperator()));
  expect((await endpointOf(at)).status).toBe('failing');
});

test('a failing endpoint is not deactivated a moment too early', async () => {
  const at = await place();
  await anEventUsedUp(database, at);
  const { deactivateAt } = await endpointOf(at);
  const justBefore = new Date((deactivateAt?.getTime() ?? 0) - 1);
  expect(await deactivate(at, justBefore)).toMatchObject({ status: 'failing', dueInMs: 1 });
  expect(await deactivate(at, deactivateAt ?? new Date())).toEqual({ status: 'deactivated' });
  expect(await deactivate(at, deactivateAt ?? new Date())).toEqual({ status: 'deactivated' });
  expect(await notificationsOf(at)).toHaveLength(2);
});

test('the service writes down that it has deactivated an endpoint: once, and nothing before its time', async () => {
  const at = await place();
  await anEventUsedUp(database, at);
  const { deactivateAt } = await endpointOf(at);
  const justBefore = new Date((deactivateAt?.getTime() ?? 0) - 1);
  for (const now of [justBefore, deactivateAt, deactivateAt]) await deactivate(at, now ?? new Date());
  const items = await itemsOf(
    adminWith({ DATABASE_URL: database.url })('audit', 'list', '--subject', at.endpointId),
  );
  expect(items.filter(({ action }) => action !== 'endpoint.created')).toEqual([
    expect.objectContaining({
      actor: `workflow:endpoint:${at.endpointId}`,
      action: 'endpoint.deactivated',
      tenantId: at.tenantId,
      requestId: null,
      details: { from: 'failing' },
    }),
  ]);
});

test('switching an endpoint off takes its first attempts back that have not begun', async () => {
  const [at, other] = [await place(), await place()];
  await Promise.all([anEventFor(database, at), anEventFor(database, at), anEventFor(database, other)]);
  await database.write((em) => updateEndpoint(em, { ...at, fields: {}, enabled: false }, asOperator()));
  expect(await firstAttemptsAskedFor(at)).toBe(0);
  expect(await firstAttemptsAskedFor(other)).toBe(1);
});

test('a first attempt that is under way while its endpoint is switched off keeps its place', async () => {
  const at = await place();
  await anEventFor(database, at);
  await sql`UPDATE outbox SET claimed_by = gen_random_uuid(), available_at = 'infinity'`.execute(
    database.em().getKysely(),
  );
  await database.write((em) => updateEndpoint(em, { ...at, fields: {}, enabled: false }, asOperator()));
  expect(await firstAttemptsAskedFor(at)).toBe(1);
});

test('a deactivated endpoint stays so with a new URL until it is enabled', async () => {
  const at = await place();
  await anEventUsedUp(database, at);
  await deactivate(at, new Date(Date.now() + DAY_MS + 1000));
  const fields = { url: 'https://pms.example/new' };
  await database.write((em) => updateEndpoint(em, { ...at, fields }, asOperator()));
  expect((await endpointOf(at)).status).toBe('deactivated');
  await database.write((em) => enableEndpoint(em, at, asOperator()));
  expect(await endpointOf(at)).toMatchObject({ status: 'active', failingSince: null, deactivateAt: null });
});

/** As activities do: PostgreSQL ends one of two transactions that wait for each other, and it is tried again. */
async function tryAgain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isPassingFailure(error)) throw error;
    return tryAgain(work);
  }
}

test('a deactivation amid last attempts leaves nothing open and stays', async () => {
  const at = await place();
  const deliveries = await Promise.all(Array.from({ length: 20 }, () => anEventFor(database, at)));
  await anEventUsedUp(database, at);
  await Promise.all([
    ...deliveries.map((delivery, index) =>
      tryAgain(() => attempted(database, delivery, { number: 6, status: index % 2 === 0 ? 410 : 500 })),
    ),
    tryAgain(() => deactivate(at, new Date(Date.now() + DAY_MS + 60_000))),
  ]);
  const { endpointId } = at;
  expect(await database.em().count(WebhookDeliveryEntity, { endpointId, nextAttemptAt: { $ne: null } })).toBe(
    0,
  );
  expect((await endpointOf(at)).status).toBe('deactivated');
  expect((await notificationsOf(at)).map(({ kind }) => kind)).toEqual([
    'endpoint_failing',
    'endpoint_deactivated',
  ]);
});

test('the notification names the endpoint without its query, and says why there was no mail', async () => {
  const at = await place();
  const url = 'https://pms.example/hook?token=hidden';
  await database.write((em) => updateEndpoint(em, { ...at, fields: { url } }, asOperator()));
  await anEventUsedUp(database, at, new Date(Date.now() + 1000));
  const [notification] = await notificationsOf(at);
  const message = notification ? notificationMessage(notification) : '';
  expect(message).toContain('https://pms.example/hook in six attempts');
  expect(message).not.toContain('hidden');
  expect(message).toContain('No email was sent: the clinic has no email address.');
});
