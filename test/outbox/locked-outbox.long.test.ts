import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { Client } from 'pg';
import { lockWaits } from '../support/lock-waits.ts';
import { until } from '../support/until.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { createWorkerFleet } from '../worker/worker-fleet.ts';
import { forSuite } from '../support/for-suite.ts';

/** Longer than a lease lasts. */
const LOCKED_MS = 8000;
const DELIVERIES = 300;
const ANSWERS_AFTER_MS = 900;
const ROUNDS = 2;

const fleet = await forSuite(createWorkerFleet());
afterEach(() => fleet.killAll());

/** As a plain `CREATE INDEX` does: anyone who writes waits. */
async function lockOutbox(): Promise<AsyncDisposable> {
  const holder = new Client({ connectionString: fleet.databaseUrl, application_name: 'holder' });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE outbox IN SHARE MODE');
  return { [Symbol.asyncDispose]: () => holder.end() };
}

async function count(condition: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM ${sql.raw(condition)}
  `.execute(fleet.database.em().getKysely());
  return rows[0]?.count ?? NaN;
}

test('a worker that is killed while its claim waits for a lock leaves nothing that no one carries on', async () => {
  const receiver = await fleet.startReceiver();
  receiver.otherwise((response) => setTimeout(() => response.writeHead(200).end(), ANSWERS_AFTER_MS));
  const place = await fleet.anEndpointAt(receiver);
  await fleet.start();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const victim = await fleet.start();
    for (let i = 0; i < DELIVERIES; i += 1) await anEventFor(fleet.database, place);
    {
      await using _lock = await lockOutbox();
      await until('claims that wait', async () => (await lockWaits(fleet.database.em(), 'worker')) >= 4);
      await fleet.kill(victim);
      await delay(LOCKED_MS);
    }
    await until('an empty outbox', async () => (await count('outbox')) === 0);
    expect(await count(`webhook_delivery WHERE status <> 'succeeded'`)).toBe(0);
  }
});
