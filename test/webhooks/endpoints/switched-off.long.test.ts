import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { updateEndpoint } from '../../../commands/webhooks/save-endpoint.ts';
import { aClinic, anEndpoint, asOperator } from '../../support/clinic.ts';
import { until } from '../../support/until.ts';
import { insertWaitingDeliveries } from '../../support/waiting-deliveries.ts';
import { createWorkerSurroundings } from '../../worker/running-worker.ts';
import { forSuite } from '../../support/for-suite.ts';

const OPEN = 100_000;
const BATCH = 5000;

const surroundings = await forSuite(createWorkerSurroundings());

test('an endpoint with 100,000 open deliveries is switched off, and all of them end as skipped though the worker is replaced meanwhile', async () => {
  const { database } = surroundings;
  const { tenantId } = await aClinic(database);
  const place = { tenantId, endpointId: await anEndpoint(database, tenantId) };
  const { endpointId } = place;
  for (let made = 0; made < OPEN; made += BATCH)
    await insertWaitingDeliveries(database.em(), { clinicId: tenantId, endpointId }, BATCH);
  await database.em().execute('DELETE FROM outbox');
  for (let made = 0; made < OPEN; made += BATCH) await makeRetrying(BATCH);

  await database.write((em) => updateEndpoint(em, { ...place, fields: {}, enabled: false }, asOperator()));
  expect(await countOpen()).toBeGreaterThan(OPEN / 2);

  const first = await surroundings.startWorker();
  await until('a fifth to be skipped', async () => (await countOpen()) < OPEN * 0.8);
  await first.stop();
  expect(await countOpen()).toBeGreaterThan(0);
  const second = await surroundings.startWorker();
  await until('all to be skipped', async () => (await countOpen()) === 0);
  await second.stop();
});

async function makeRetrying(count: number): Promise<void> {
  await sql`
    UPDATE webhook_delivery
    SET status = 'retrying', attempt_count = 1, next_attempt_at = now() + interval '1 hour'
    WHERE id IN (SELECT id FROM webhook_delivery WHERE status = 'pending' LIMIT ${count})
  `.execute(surroundings.database.em().getKysely());
}

async function countOpen(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM webhook_delivery WHERE status IN ('pending', 'retrying')
  `.execute(surroundings.database.em().getKysely());
  return rows[0]?.count ?? -1;
}
