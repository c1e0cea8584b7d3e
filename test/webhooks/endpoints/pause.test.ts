import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { deactivateEndpoint } from '../../../commands/webhooks/change-endpoint-health.ts';
import { WebhookEndpointEntity } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { findOutboxBacklog } from '../../../db/outbox/outbox-backlog.ts';
import { describeDelivery } from '../../../commands/diagnosis/describe-delivery.ts';
import { createApiClient, type ApiAnswer, type ApiClient } from '../../support/api-client.ts';
import { aClinic } from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { anEventFor, anEventUsedUp, attempted } from '../recorded-attempts.ts';

const HOUR_MS = 3_600_000;

const api = await suiteApi();
const { database } = api;

interface Place {
  tenantId: string;
  endpointId: string;
  client: ApiClient;
  /** A request about the endpoint. */
  post(action: string, body?: object): Promise<ApiAnswer>;
}

async function anEndpoint(): Promise<Place> {
  const { tenantId } = await aClinic(database);
  const client = createApiClient(api.url, await api.keyOf({ tenantId }));
  const { body } = await client.post('/v1/webhook-endpoints', { url: 'https://pms.example/hook' });
  const endpointId = String(body['id']);
  return {
    tenantId,
    endpointId,
    client,
    post: (action, sent = {}) => client.post(`/v1/webhook-endpoints/${endpointId}/${action}`, sent),
  };
}

function hoursUntil({ body }: ApiAnswer, field: string): number {
  return Math.round((Date.parse(String(body[field])) - Date.now()) / HOUR_MS);
}

/** The pause began earlier, and ends as much earlier. */
async function letPass({ endpointId }: Place, hours: number): Promise<void> {
  await sql`
    UPDATE webhook_endpoint
    SET paused_until = paused_until - make_interval(hours => ${hours}),
        deactivate_at = deactivate_at - make_interval(hours => ${hours})
    WHERE id = ${endpointId}
  `.execute(database.em().getKysely());
}

test('a pause lasts 24 hours by default, and a second one replaces its end', async () => {
  const place = await anEndpoint();
  const paused = await place.post('pause');
  expect(paused).toMatchObject({ status: 200, body: { status: 'paused', failingSince: null } });
  expect(hoursUntil(paused, 'pausedUntil')).toBe(24);
  expect(hoursUntil(await place.post('pause', { hours: 168 }), 'pausedUntil')).toBe(168);
  expect(hoursUntil(await place.post('pause', { hours: 1 }), 'pausedUntil')).toBe(1);
  const resumed = await place.post('resume');
  expect(resumed).toMatchObject({ status: 200, body: { status: 'active', pausedUntil: null } });
  expect(await place.post('resume')).toMatchObject({ status: 200, body: { status: 'active' } });
});

test.each([0, 169, 1.5, '24'])('a pause of %p hours is refused', async (hours) => {
  const { post } = await anEndpoint();
  expect(await post('pause', { hours })).toMatchObject({ status: 422, body: { error: 'validation_failed' } });
});

test('while it is paused, nothing can be sent at once, and what is asked for waits', async () => {
  const place = await anEndpoint();
  const { client, post } = place;
  const failed = await anEventUsedUp(database, place);
  await post('enable');
  const waiting = await anEventFor(database, place);
  await post('pause');
  const refused = { status: 409, body: { error: 'endpoint_paused' } };
  expect(await post('test-events')).toMatchObject(refused);
  expect(await post('retry-now')).toMatchObject(refused);
  expect(await client.post(`/v1/webhook-deliveries/${waiting.id}/retry-now`, {})).toMatchObject(refused);
  const resent = await client.post(`/v1/webhook-deliveries/${failed.id}/resend`, {});
  expect(resent).toMatchObject({ status: 202, body: { status: 'pending' } });
  await post('resume');
  expect(await client.post(`/v1/webhook-deliveries/${waiting.id}/retry-now`, {})).toMatchObject({
    status: 202,
  });
});

test('the countdown of a failing endpoint stands still, and goes on afterwards', async () => {
  const place = await anEndpoint();
  await anEventUsedUp(database, place);
  const failing = await place.client.get(`/v1/webhook-endpoints/${place.endpointId}`);
  expect(failing.body['status']).toBe('failing');
  const deactivateAt = Date.parse(String(failing.body['deactivateAt']));
  const paused = await place.post('pause', { hours: 100 });
  expect(paused.body).toMatchObject({ status: 'paused', failingSince: failing.body['failingSince'] });

  await letPass(place, 30);
  const due = new Date(deactivateAt + 1000);
  expect(await database.write((em) => deactivateEndpoint(em, place, due))).toMatchObject({
    status: 'failing',
  });
  const resumed = await place.post('resume');
  expect(resumed.body).toMatchObject({ status: 'failing', pausedUntil: null });
  // As much is left of the 24 hours as when it was paused; the 30 hours were simulated.
  const leftMs = Date.parse(String(resumed.body['deactivateAt'])) - deactivateAt;
  expect(Math.abs(leftMs)).toBeLessThan(10_000);
});

test('a sixth failure during a pause does not make the endpoint failing', async () => {
  const place = await anEndpoint();
  const delivery = await anEventFor(database, place);
  await place.post('pause');
  await attempted(database, delivery, { number: 6, status: 500 });
  expect((await place.post('resume')).body).toMatchObject({ status: 'active', failingSince: null });
});

test('disabling ends a pause, and enabling does', async () => {
  const place = await anEndpoint();
  const path = `/v1/webhook-endpoints/${place.endpointId}`;
  await place.post('pause');
  const disabled = await place.client.patch(path, { enabled: false });
  expect(disabled.body).toMatchObject({ status: 'disabled', pausedUntil: null });
  expect(await place.post('pause')).toMatchObject({ status: 409, body: { error: 'endpoint_deactivated' } });
  await place.client.patch(path, { enabled: true });
  await place.post('pause');
  expect((await place.post('enable')).body).toMatchObject({ status: 'active', pausedUntil: null });
});

test('a pause ends by itself', async () => {
  const place = await anEndpoint();
  await place.post('pause', { hours: 2 });
  await letPass(place, 3);
  const { body } = await place.client.get(`/v1/webhook-endpoints/${place.endpointId}`);
  expect(body).toMatchObject({ status: 'active', pausedUntil: null });
  expect(await place.post('test-events')).toMatchObject({ status: 202 });
});

test('what waits for the end of a pause is no backlog, and the operator is told why it waits', async () => {
  const place = await anEndpoint();
  await place.post('pause');
  const { id } = await anEventFor(database, place);
  await sql`UPDATE outbox SET created_at = now() - interval '1 hour' WHERE message ->> 'deliveryId' = ${id}`.execute(
    database.em().getKysely(),
  );
  const { pausedUntil } = await database.em().findOneOrFail(WebhookEndpointEntity, { id: place.endpointId });
  expect(await describeDelivery(database.em(), null, id)).toBe(
    `its endpoint is paused until ${pausedUntil?.toISOString()}`,
  );
  const { oldestAgeSeconds } = await findOutboxBacklog(database.em());
  expect(oldestAgeSeconds).toBeLessThan(3000);
  await place.post('resume');
  expect((await findOutboxBacklog(database.em())).oldestAgeSeconds).toBeGreaterThan(3000);
});

test('a key without webhooks:write can neither pause nor resume', async () => {
  const place = await anEndpoint();
  const reader = createApiClient(
    api.url,
    await api.keyOf({ tenantId: place.tenantId, scopes: ['webhooks:read'] }),
  );
  for (const action of ['pause', 'resume']) {
    const path = `/v1/webhook-endpoints/${place.endpointId}/${action}`;
    expect(await reader.post(path, {})).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
  }
});
