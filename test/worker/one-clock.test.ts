import { afterEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { WebhookEndpointEntity } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { createApiClient } from '../support/api-client.ts';
import { aKey } from '../support/clinic.ts';
import { TEST_ENCRYPTION_KEY } from '../support/sealing.ts';
import { startApiProcess } from '../support/servers/api-process.ts';
import { clockOffBy } from '../support/shift-clock.ts';
import { until } from '../support/until.ts';
import { anEventUsedUp } from '../webhooks/recorded-attempts.ts';
import { createWorkerFleet } from './worker-fleet.ts';
import { forSuite } from '../support/for-suite.ts';

const HOUR_MS = 3_600_000;
/** A slow machine may take so long between two steps of a test. */
const NEAR_MS = 60_000;

const fleet = await forSuite(createWorkerFleet());
afterEach(() => fleet.killAll());

async function aFailingEndpoint(secondsLeft: number) {
  const place = await fleet.anEndpointAt(await fleet.startReceiver());
  await anEventUsedUp(fleet.database, place);
  await sql`
    UPDATE webhook_endpoint SET deactivate_at = clock_timestamp() + make_interval(secs => ${secondsLeft})
    WHERE id = ${place.endpointId}
  `.execute(fleet.database.em().getKysely());
  return place;
}

function endpoint({ endpointId: id }: { endpointId: string }) {
  return fleet.database.em().findOneOrFail(WebhookEndpointEntity, { id });
}

test('a worker whose clock is an hour slow deactivates an endpoint when its time has come, by the database’s clock', async () => {
  const due = await aFailingEndpoint(1);
  await fleet.start(clockOffBy(-HOUR_MS));
  await until('the deactivation', async () => (await endpoint(due)).status === 'deactivated');
  const { updatedAt } = await endpoint(due);
  expect(Math.abs(updatedAt.getTime() - Date.now())).toBeLessThan(NEAR_MS);
});

test('a worker whose clock is an hour fast leaves an endpoint on that has time left', async () => {
  const [early, due] = [await aFailingEndpoint(HOUR_MS / 2000), await aFailingEndpoint(1)];
  await fleet.start(clockOffBy(HOUR_MS));
  await until('the deactivation of the other', async () => (await endpoint(due)).status === 'deactivated');
  expect((await endpoint(early)).status).toBe('failing');
});

test('an endpoint that an API process whose clock is an hour slow has enabled is corrected now, as attempts are dated', async () => {
  const place = await aFailingEndpoint(HOUR_MS);
  const key = await aKey(fleet.database, place.tenantId);
  // It announces the recovery, sealed with the key of the clinic that the test database has.
  const ENCRYPTION_KEY = TEST_ENCRYPTION_KEY.toString('base64');
  const environment = { ...clockOffBy(-HOUR_MS), ENCRYPTION_KEY };
  await using api = await startApiProcess(fleet.databaseUrl, environment);
  const answer = await createApiClient(api.url, key).post(
    `/v1/webhook-endpoints/${place.endpointId}/enable`,
    {},
  );
  expect(answer.status).toBe(200);
  const { correctedAt } = await endpoint(place);
  expect(Math.abs((correctedAt?.getTime() ?? 0) - Date.now())).toBeLessThan(NEAR_MS);
});
