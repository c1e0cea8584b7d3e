import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { recordEvent } from '../../commands/webhooks/record-event.ts';
import { replayDeliveries, replayPage } from '../../commands/webhooks/sending-again/replay-deliveries.ts';
import { resendDelivery } from '../../commands/webhooks/sending-again/resend-delivery.ts';
import { sendTestEvent } from '../../commands/webhooks/send-test-event.ts';
import { updateEndpoint } from '../../commands/webhooks/save-endpoint.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { countReplayed, type ReplayedDeliveries } from '../../db/webhooks/endpoints/endpoint-replay.ts';
import { aClinic, anEndpoint, asOperator } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { until } from '../support/until.ts';
import { anEventFor, attempted } from './recorded-attempts.ts';

const PAGE = 200;
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

const database = await suiteDatabase({ applicationName: 'replay rows' });

interface Place {
  tenantId: string;
  endpointId: string;
}

async function place(): Promise<Place> {
  const { tenantId } = await aClinic(database);
  return { tenantId, endpointId: await anEndpoint(database, tenantId) };
}

function enable(at: Place, enabled: boolean) {
  return database.write((em) => updateEndpoint(em, { ...at, fields: {}, enabled }, asOperator()));
}

/** Events of each fate, a second apart: skipped, failed, succeeded, retrying. */
async function eventsOfEachFate(at: Place): Promise<Record<string, WebhookDeliveryRow>> {
  const second = (n: number) => new Date(Date.now() - 60_000 + n * 1000);
  const skipped = await anEventFor(database, at, second(0));
  await enable(at, false);
  await enable(at, true);
  const failed = await anEventFor(database, at, second(1));
  await attempted(database, failed, { number: 6, status: 500 });
  const succeeded = await anEventFor(database, at, second(2));
  await attempted(database, succeeded, { number: 1, status: 200 });
  const retrying = await anEventFor(database, at, second(3));
  await attempted(database, retrying, { number: 1, status: 500 });
  return { skipped, failed, succeeded, retrying };
}

function replay(at: Place, include: ReplayedDeliveries, range: { since?: Date; until?: Date } = {}) {
  const { since = LONG_AGO, until = null } = range;
  return database.write((em) => replayDeliveries(em, { ...at, include, since, until }, asOperator()));
}

function preview(at: Place, include: ReplayedDeliveries, atMost: number) {
  return countReplayed(database.em(), { ...at, include, since: LONG_AGO, until: new Date() }, atMost);
}

async function unfinishedReplay({ endpointId }: Place): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM webhook_replay WHERE endpoint_id = ${endpointId} AND finished_at IS NULL ORDER BY id LIMIT 1
  `.execute(database.em().getKysely());
  return rows[0]?.id;
}

function page({ tenantId }: Place, replayId: string) {
  return database.write((em) => replayPage(em, { tenantId, replayId }, new Date()));
}

/** Runs the replays of the endpoint as their workflows would, with every delivery attempted at once. */
async function runReplays(at: Place): Promise<void> {
  for (let id = await unfinishedReplay(at); id; id = await unfinishedReplay(at)) {
    await page(at, id);
    for (const waiting of await waitingOf(at)) await attempted(database, waiting, { number: 1, status: 200 });
  }
}

function waitingOf({ endpointId }: Place): Promise<WebhookDeliveryRow[]> {
  return database.em().find(WebhookDeliveryEntity, { endpointId, status: 'pending' });
}

function resendsOf({ endpointId }: Place): Promise<WebhookDeliveryRow[]> {
  return database
    .em()
    .find(WebhookDeliveryEntity, { endpointId, resendNumber: { $gt: 0 } }, { orderBy: { eventId: 'asc' } });
}

test.each([
  ['missing', ['skipped', 'failed']],
  ['skipped', ['skipped']],
  ['failed', ['failed']],
  ['all', ['skipped', 'failed', 'succeeded']],
] as const)('a replay of %s sends again what was %s', async (include, fates) => {
  const at = await place();
  const events = await eventsOfEachFate(at);
  expect(await replay(at, include)).toEqual({ deliveries: fates.length });
  await runReplays(at);
  const resends = await resendsOf(at);
  const wanted = fates.map((fate) => events[fate]);
  expect(resends.map(({ resendOf }) => resendOf)).toEqual(wanted.map((delivery) => delivery?.id));
  expect(resends.map(({ workflowId }) => workflowId)).toEqual(
    wanted.map((delivery) => `${delivery?.workflowId}:1`),
  );
});

test('a replay keeps to its range: since is inclusive, until exclusive', async () => {
  const at = await place();
  const { failed, skipped } = await eventsOfEachFate(at);
  const createdAt = async (delivery?: WebhookDeliveryRow) => {
    const { rows } = await sql<{ ms: number }>`
      SELECT (extract(epoch FROM created_at) * 1000)::float8 AS ms FROM webhook_event WHERE id = ${delivery?.eventId}
    `.execute(database.em().getKysely());
    return new Date(rows[0]?.ms ?? 0);
  };
  const [from, to] = [await createdAt(skipped), await createdAt(failed)];
  expect(await replay(at, 'missing', { since: from, until: to })).toEqual({ deliveries: 1 });
  expect(await replay(at, 'missing', { since: to })).toEqual({ deliveries: 1 });
  expect(await replay(at, 'missing', { since: from })).toEqual({ deliveries: 2 });
  expect([await preview(at, 'all', 2), await preview(at, 'all', 10)]).toEqual([2, 3]);
});

test('what a resend or another replay has brought over is not sent a second time', async () => {
  const at = await place();
  const { skipped, failed } = await eventsOfEachFate(at);
  if (!skipped || !failed) throw new Error('the events are missing');
  const { tenantId } = at;
  const resent = await database.write((em) =>
    resendDelivery(em, { tenantId, deliveryId: skipped.id }, asOperator()),
  );
  expect(await replay(at, 'missing')).toEqual({ deliveries: 1 });
  await attempted(database, resent, { number: 1, status: 200 });
  await replay(at, 'missing');
  await runReplays(at);
  expect((await resendsOf(at)).map(({ resendOf }) => resendOf)).toEqual([skipped.id, failed.id]);
  expect(await replay(at, 'missing')).toEqual({ deliveries: 0 });
});

test('a replay makes as many deliveries as its answer says: what fails or is skipped after the request is another’s', async () => {
  const at = await place();
  const { retrying } = await eventsOfEachFate(at);
  const waiting = await anEventFor(database, at);
  if (!retrying) throw new Error('the event is missing');
  const { deliveries } = await replay(at, 'missing', { until: new Date(Date.now() + 60_000) });
  expect(deliveries).toBe(2);
  await attempted(database, retrying, { number: 6, status: 500 });
  await attempted(database, waiting, { number: 6, status: 500 });
  await anEventFor(database, at).then((later) => attempted(database, later, { number: 6, status: 500 }));
  const id = (await unfinishedReplay(at)) ?? '';
  expect(await page(at, id)).toEqual({ deliveries, isFinished: true });
  expect(await replay(at, 'missing')).toEqual({ deliveries: 3 });
});

test('replays at once make each delivery once', async () => {
  const at = await place();
  await eventsOfEachFate(at);
  await Promise.all([replay(at, 'missing'), replay(at, 'missing')]);
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM webhook_replay WHERE endpoint_id = ${at.endpointId}
  `.execute(database.em().getKysely());
  const progress = await Promise.all(rows.map(({ id }) => page(at, id)));
  expect(new Set(progress.map(({ deliveries }) => deliveries))).toEqual(new Set([0, 2]));
  expect(await resendsOf(at)).toHaveLength(2);
});

test('test events are never replayed', async () => {
  const at = await place();
  const sent = await database.write((em) => sendTestEvent(em, { ...at, exampleOf: null }, asOperator()));
  const delivery = await database.em().findOneOrFail(WebhookDeliveryEntity, { id: sent.deliveryId });
  await attempted(database, delivery, { number: 1, status: 500 });
  expect(await replay(at, 'all')).toEqual({ deliveries: 0 });
});

test('pages come in order of creation, and none while the last one still waits', async () => {
  const at = await place();
  await enable(at, false);
  const events: WebhookDeliveryRow[] = [];
  for (let n = 0; n < PAGE + 50; n += 1) events.push(await anEventFor(database, at));
  // As autovacuum does within a minute: without statistics, each event is compared with each delivery.
  await database.em().execute('ANALYZE webhook_event, webhook_delivery');
  await enable(at, true);
  await replay(at, 'missing', { until: new Date(Date.now() + 1000) });
  const id = (await unfinishedReplay(at)) ?? '';

  expect(await page(at, id)).toEqual({ deliveries: PAGE, isFinished: false });
  expect(await page(at, id)).toEqual({ deliveries: PAGE, isFinished: false });
  expect(await resendsOf(at)).toHaveLength(PAGE);

  const [first] = await waitingOf(at);
  if (first) await attempted(database, first, { number: 1, status: 500 });
  expect(await page(at, id)).toEqual({ deliveries: PAGE + 50, isFinished: true });
  expect(await page(at, id)).toEqual({ deliveries: PAGE + 50, isFinished: true });

  const { rows } = await sql<{ eventId: string }>`
    SELECT split_part(message->>'workflowId', ':', 2) AS "eventId"
    FROM outbox
    WHERE ordering_key = ${`replay:${id}`}
    ORDER BY id
  `.execute(database.em().getKysely());
  expect(rows.map(({ eventId }) => eventId)).toEqual(events.map(({ eventId }) => eventId));
});

test('a replay ends when its endpoint is switched off', async () => {
  const at = await place();
  await eventsOfEachFate(at);
  await replay(at, 'missing');
  const id = (await unfinishedReplay(at)) ?? '';
  await enable(at, false);
  expect(await page(at, id)).toEqual({ deliveries: 0, isFinished: true });
});

test('an event that is just being written when the endpoint comes back is replayed', async () => {
  const at = await place();
  await enable(at, false);
  const written = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const inFlight = database.write(async (em) => {
    const event = {
      tenant: { id: at.tenantId, name: 'C' },
      type: 'nps.submitted' as const,
      data: { score: 1 },
    };
    await recordEvent(em, event, asOperator(new Date(Date.now() - 1000)));
    written.resolve();
    await mayCommit.promise;
  });
  await written.promise;
  await enable(at, true);
  const asked = replay(at, 'missing');
  await untilSomeoneWaits();
  mayCommit.resolve();
  await inFlight;
  expect(await asked).toEqual({ deliveries: 1 });
});

async function untilSomeoneWaits(): Promise<void> {
  await until('the replay to wait for the event', () => lockWaits(database.em()));
}
