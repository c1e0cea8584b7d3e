import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sql } from 'kysely';
import { releasePlace } from '../../db/outbox/first-attempts.ts';
import { openDatabase, type Database } from '../../db/connection/open-database.ts';
import {
  claimOutboxMessages,
  deferOutboxMessage,
  deleteOutboxMessages,
  findOutboxBacklog,
  insertOutboxMessage,
} from '../../db/outbox/outbox-rows.ts';
import { ATTEMPTS_AT_ONCE } from '../../domain/webhooks/delivery-share.ts';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import { aClinic, anEndpoint } from '../support/clinic.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { anEventFor, attempted } from '../webhooks/recorded-attempts.ts';

const { perEndpoint, perClinic } = ATTEMPTS_AT_ONCE;
const LIMIT = 16;

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase({ url: testDatabase.url, applicationName: 'fairness' });
});
afterEach(forget);
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await testDatabase.drop();
});

async function forget(): Promise<void> {
  await database.em().execute('DELETE FROM outbox');
  await database.em().execute('DELETE FROM first_attempt');
}

interface Endpoint {
  clinicId: string;
  endpointId: string;
}
type StartDelivery = Extract<OutboxMessage, { kind: 'startDelivery' }>;

function newEndpoint(clinicId: string = randomUUID()): Endpoint {
  return { clinicId, endpointId: randomUUID() };
}

/** `count` deliveries of an endpoint come into the outbox. */
async function wait(count: number, endpoint: Endpoint, replayId?: string): Promise<void> {
  const message = { kind: 'startDelivery', workflowId: 'delivery', eventType: 'nps.submitted', ...endpoint };
  await sql`
    INSERT INTO outbox (ordering_key, message)
    SELECT ${replayId ?? null}::text, ${JSON.stringify(message)}::jsonb || jsonb_build_object('deliveryId', gen_random_uuid())
    FROM generate_series(1, ${count})
  `.execute(database.em().getKysely());
}

async function claim(limit = LIMIT, lane: 'ordered' | 'unordered' = 'unordered'): Promise<StartDelivery[]> {
  const claimed = await claimOutboxMessages(database.em(), lane, limit, 60);
  return claimed.map(({ message }) => message).filter((message) => message.kind === 'startDelivery');
}

/** Claims until nothing is due any more. */
async function claimAll(limit = LIMIT): Promise<StartDelivery[]> {
  const all: StartDelivery[] = [];
  for (let page = await claim(limit); page.length > 0; page = await claim(limit)) all.push(...page);
  return all;
}

function countOf(claimed: readonly StartDelivery[], { endpointId }: Endpoint): number {
  return claimed.filter((message) => message.endpointId === endpointId).length;
}

test('a single delivery is in the next claim, though another clinic’s ten thousand came before', async () => {
  const [busy, quiet] = [newEndpoint(), newEndpoint()];
  await wait(10_000, busy);
  await wait(1, quiet);
  const claimed = await claim();
  expect(countOf(claimed, quiet)).toBe(1);
  expect(countOf(claimed, busy)).toBe(perEndpoint);
});

test('a clinic with many busy endpoints takes no more turns than a clinic with one', async () => {
  const clinicId = randomUUID();
  const busy = Array.from({ length: 5 }, () => newEndpoint(clinicId));
  for (const endpoint of busy) await wait(100, endpoint);
  const quiet = newEndpoint();
  await wait(8, quiet);
  expect(countOf(await claim(), quiet)).toBe(8);
});

test('the endpoints of one clinic take turns', async () => {
  const busy = newEndpoint();
  const quiet = newEndpoint(busy.clinicId);
  await wait(100, busy);
  await wait(5, quiet);
  const claimed = await claim(10);
  expect([countOf(claimed, busy), countOf(claimed, quiet)]).toEqual([5, 5]);
});

test('an endpoint’s share of first attempts begins, then one more with each that ends', async () => {
  const endpoint = newEndpoint();
  await wait(50, endpoint);
  const claimed = await claimAll(4);
  expect(claimed).toHaveLength(perEndpoint);
  for (const { clinicId, deliveryId } of claimed.slice(0, 3))
    await releasePlace(database.em(), { clinicId, deliveryId });
  expect(await claimAll(4)).toHaveLength(3);
});

test('all endpoints of a clinic together keep to the clinic’s share', async () => {
  const clinicId = randomUUID();
  for (let i = 0; i < 4; i += 1) await wait(30, newEndpoint(clinicId));
  await wait(1, newEndpoint());
  const claimed = await claimAll();
  expect(claimed.filter((message) => message.clinicId === clinicId)).toHaveLength(perClinic);
  expect(claimed).toHaveLength(perClinic + 1);
});

test('what a killed worker held is free again when its lease has run out, and swept away later', async () => {
  const endpoint = newEndpoint();
  await wait(50, endpoint);
  expect(await claimAll()).toHaveLength(perEndpoint);
  const later = (seconds: number) =>
    sql`UPDATE first_attempt SET held_until = held_until - make_interval(secs => ${seconds})`.execute(
      database.em().getKysely(),
    );
  await later(31);
  expect(await claimAll()).toHaveLength(perEndpoint);
  await later(100);
  await claim(1);
  const { rows } = await sql`SELECT FROM first_attempt`.execute(database.em().getKysely());
  expect(rows).toHaveLength(1);
});

test('a start that failed gives its place back', async () => {
  await wait(perEndpoint + 1, newEndpoint());
  const claimed = await claimOutboxMessages(database.em(), 'unordered', LIMIT, 60);
  expect(claimed).toHaveLength(perEndpoint);
  await deferOutboxMessage(database.em(), claimed[0]?.id ?? '', 60, 'Temporal is away');
  expect(await claimAll()).toHaveLength(1);
});

test('retries that are due go before first attempts; long overdue ones do not hold them up', async () => {
  const { tenantId } = await aClinic(database);
  const place = { tenantId, endpointId: await anEndpoint(database, tenantId) };
  const endpoint = { clinicId: tenantId, endpointId: place.endpointId };
  const dueSince = async (count: number, seconds: number) => {
    for (let i = 0; i < count; i += 1) {
      const startedAt = new Date(Date.now() - (30 + seconds) * 1000);
      await attempted(database, await anEventFor(database, place, startedAt), {
        number: 1,
        status: 500,
        startedAt,
      });
    }
  };
  await dueSince(perEndpoint + 3, 3600);
  await dueSince(4, 1);
  await dueSince(2, -20);
  await forget();
  await wait(50, endpoint);
  expect(await claimAll()).toHaveLength(perEndpoint - 4);
  await forget();
  await dueSince(perEndpoint, 1);
  await forget();
  await wait(50, endpoint);
  expect(await claimAll()).toEqual([]);
});

test('the deliveries of replays keep to the share as well', async () => {
  const endpoint = newEndpoint();
  await wait(perEndpoint - 1, endpoint);
  await claimAll();
  await wait(5, endpoint, 'replay:one');
  const told = await claimOutboxMessages(database.em(), 'ordered', LIMIT, 60);
  expect(told).toHaveLength(1);
  await deleteOutboxMessages(
    database.em(),
    told.map(({ id }) => id),
  );
  expect(await claim(LIMIT, 'ordered')).toEqual([]);
});

test('retries asked for and stops take turns with the clinics', async () => {
  await wait(100, newEndpoint());
  for (let i = 0; i < 40; i += 1)
    await insertOutboxMessage(database.em(), { kind: 'stopDelivery', workflowId: `delivery:${i}` });
  const quiet = newEndpoint();
  await wait(1, quiet);
  const claimed = await claimOutboxMessages(database.em(), 'unordered', 7, 60);
  const kinds = claimed.map(({ message }) => message.kind).toSorted();
  expect(kinds).toEqual([...Array(4).fill('startDelivery'), ...Array(3).fill('stopDelivery')]);
});

test('deliveries that wait for their own endpoint are pending, and not a sign that Temporal waits', async () => {
  const endpoint = newEndpoint();
  await wait(50, endpoint);
  await database.em().execute(`UPDATE outbox SET created_at = created_at - interval '10 minutes'`);
  const age = async () => (await findOutboxBacklog(database.em())).oldestAgeSeconds;
  expect(await age()).toBeGreaterThanOrEqual(600);
  await claimAll();
  expect(await age()).toBe(0);
  expect(await findOutboxBacklog(database.em())).toMatchObject({ pending: 50 });
});

test('whoever waits, shares are kept, places are used, and clinics get equal turns', async () => {
  const waiting = fc.array(fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(waiting, fc.integer({ min: 1, max: 40 }), async (clinics, limit) => {
      await forget();
      const wanted: { clinicId: string; due: number }[] = [];
      for (const counts of clinics) {
        const clinicId = randomUUID();
        for (const count of counts) await wait(count, newEndpoint(clinicId));
        const due = counts.reduce((sum, count) => sum + Math.min(count, perEndpoint), 0);
        wanted.push({ clinicId, due: Math.min(due, perClinic) });
      }
      const claimed = await claim(limit);
      const got = wanted.map(({ clinicId }) => claimed.filter((row) => row.clinicId === clinicId).length);
      const most = Math.max(...got);
      expect(claimed).toHaveLength(
        Math.min(
          limit,
          wanted.reduce((sum, { due }) => sum + due, 0),
        ),
      );
      // Only a clinic that has nothing more due gets fewer turns than another.
      for (const [index, { due }] of wanted.entries())
        expect(got[index]).toBeGreaterThanOrEqual(Math.min(due, most - 1));
    }),
    { numRuns: 25 },
  );
});
