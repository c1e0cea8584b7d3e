import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { deactivateEndpoint, switchOffEndpoint } from '../../../commands/webhooks/change-endpoint-health.ts';
import { requireEndpoint } from '../../../commands/webhooks/require-endpoint.ts';
import { updateEndpoint } from '../../../commands/webhooks/save-endpoint.ts';
import { aClinic, anEndpoint, asOperator } from '../../support/clinic.ts';
import { suiteDatabase } from '../../support/database.ts';
import { lockWaits } from '../../support/lock-waits.ts';
import { until } from '../../support/until.ts';
import { anEventFor, anEventUsedUp, attempted } from '../recorded-attempts.ts';

const CLIENTS = 12;
const ROUNDS = 15;
const DAYS_LATER_MS = 3 * 86_400_000;

const database = await suiteDatabase({ poolSize: CLIENTS * 2, applicationName: 'contention' });

type Place = { tenantId: string; endpointId: string };

function setEnabled(place: Place, enabled: boolean): Promise<unknown> {
  return database.write((em) => updateEndpoint(em, { ...place, fields: {}, enabled }, asOperator()));
}

function deactivate(place: Place): Promise<unknown> {
  return database.write((em) => deactivateEndpoint(em, place, new Date(Date.now() + DAYS_LATER_MS)));
}

async function countDeadlocks(): Promise<number> {
  const { rows } = await sql<{ deadlocks: number }>`
    SELECT deadlocks::int AS deadlocks FROM pg_stat_database WHERE datname = current_database()
  `.execute(database.em().getKysely());
  return rows[0]?.deadlocks ?? -1;
}

test.each([
  ['the success that corrects a failing endpoint', { number: 1, status: 200 }, true],
  ['the failure that makes an endpoint failing', { number: 6, status: 500 }, false],
])(
  '%s waits while the endpoint is being disabled, and locks nothing meanwhile',
  async (_what, attempt, isFailing) => {
    const { tenantId } = await aClinic(database);
    const place = { tenantId, endpointId: await anEndpoint(database, tenantId) };
    if (isFailing) await anEventUsedUp(database, place);
    const delivery = await anEventFor(database, place);
    const recording = Promise.withResolvers<Awaited<ReturnType<typeof attempted>>>();
    await database.write(async (em) => {
      const endpoint = await requireEndpoint(em, place);
      attempted(database, delivery, attempt).then(recording.resolve, recording.reject);
      await until('the attempt to wait for the endpoint', () => lockWaits(database.em()));
      await switchOffEndpoint(em, endpoint, { updatedAt: new Date() });
    });
    const { status } = await recording.promise;
    expect(status).toBe(attempt.status === 200 ? 'succeeded' : 'skipped');
    expect(await countDeadlocks()).toBe(0);
  },
);

test('attempts that make an endpoint failing or correct it never deadlock with switching it off', async () => {
  const { tenantId } = await aClinic(database);
  const place = { tenantId, endpointId: await anEndpoint(database, tenantId) };
  for (let round = 0; round < ROUNDS; round += 1) {
    await setEnabled(place, true);
    const deliveries = await Promise.all(Array.from({ length: CLIENTS }, () => anEventFor(database, place)));
    // Half of them use up their attempts, half succeed: the endpoint turns failing and back meanwhile.
    const attempts = deliveries.map((delivery, index) =>
      attempted(
        database,
        delivery,
        index % 2 === 0 ? { number: 6, status: 500 } : { number: 1, status: 200 },
      ),
    );
    const off = round % 2 === 0 ? deactivate(place) : setEnabled(place, false);
    await Promise.all([...attempts, off]);
  }
  expect(await countDeadlocks()).toBe(0);
});
