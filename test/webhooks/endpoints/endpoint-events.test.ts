import { expect, test } from '@jest/globals';
import { deactivateEndpoint, enableEndpoint } from '../../../commands/webhooks/change-endpoint-health.ts';
import { WebhookDeliveryEntity } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { createApiClient } from '../../support/api-client.ts';
import { aClinic, anEndpoint, asOperator, inHours } from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { anEventFor, anEventUsedUp, attempted } from '../recorded-attempts.ts';

const api = await suiteApi();
const { database } = api;

/** The types of the events about endpoints that an endpoint got, in their order. */
async function toldTo(endpointId: string): Promise<string[]> {
  const deliveries = await database
    .em()
    .find(WebhookDeliveryEntity, { endpointId }, { orderBy: { id: 'asc' } });
  return deliveries.map(({ eventType }) => eventType).filter((type) => type.startsWith('endpoint.'));
}

test('other endpoints that subscribe hear once of each change, the endpoint itself and others do not', async () => {
  const { tenantId } = await aClinic(database);
  const endpointId = await anEndpoint(database, tenantId);
  const listener = await anEndpoint(database, tenantId, ['endpoint.*']);
  const uninterested = await anEndpoint(database, tenantId, ['call.*']);
  const place = { tenantId, endpointId };

  await anEventUsedUp(database, place);
  await anEventUsedUp(database, place);
  expect(await toldTo(listener)).toEqual(['endpoint.failing']);
  // It ends before the next attempt begins, however quick this machine is.
  await attempted(database, await anEventFor(database, place), { number: 1, status: 204, durationMs: 0 });
  expect(await toldTo(listener)).toEqual(['endpoint.failing', 'endpoint.recovered']);
  await anEventUsedUp(database, place);
  await database.write((em) => deactivateEndpoint(em, place, inHours(25)));
  await database.write((em) => enableEndpoint(em, place, asOperator()));
  expect(await toldTo(listener)).toEqual([
    'endpoint.failing',
    'endpoint.recovered',
    'endpoint.failing',
    'endpoint.deactivated',
    'endpoint.recovered',
  ]);
  expect(await toldTo(endpointId)).toEqual([]);
  expect(await toldTo(uninterested)).toEqual([]);
});

test('an event names the endpoint without its query, and needs webhooks:read', async () => {
  const { tenantId } = await aClinic(database);
  const client = createApiClient(api.url, await api.keyOf({ tenantId }));
  const url = 'https://pms.example/hook?token=hidden';
  const { body: made } = await client.post('/v1/webhook-endpoints', { url, description: 'PMS' });
  await client.post('/v1/webhook-endpoints', { url: 'https://alarm.example/', events: ['endpoint.failing'] });
  await anEventUsedUp(database, { tenantId, endpointId: String(made['id']) });
  const events = await client.get('/v1/webhook-events?type=endpoint.failing');
  const [event] = events.body['items'] as { id: string }[];
  const read = await client.get(`/v1/webhook-events/${event?.id}`);
  const { failingSince, deactivateAt } = (await client.get(`/v1/webhook-endpoints/${String(made['id'])}`))
    .body;
  expect(read.body['data']).toEqual({
    endpoint: {
      id: made['id'],
      url: 'https://pms.example/hook',
      description: 'PMS',
      failingSince,
      deactivateAt,
    },
  });
  const scopes = ['webhooks:write', 'appointments:read', 'calls:read', 'tenant:read'] as const;
  const limited = createApiClient(api.url, await api.keyOf({ tenantId, scopes: [...scopes] }));
  for (const pattern of ['*', 'endpoint.*', 'endpoint.recovered']) {
    const refused = await limited.post('/v1/webhook-endpoints', {
      url: 'https://x.example/',
      events: [pattern],
    });
    expect(refused).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
    expect(refused.body['requiredScopes']).toContain('webhooks:read');
  }
});

test('the addresses that deliveries come from are those that the operator names', async () => {
  const { tenantId } = await aClinic(database);
  const client = createApiClient(api.url, await api.keyOf({ tenantId, scopes: ['webhooks:read'] }));
  expect(await client.get('/v1/webhook-sources')).toMatchObject({
    status: 200,
    body: { addresses: ['203.0.113.7'] },
  });
  const other = createApiClient(api.url, await api.keyOf({ tenantId, scopes: ['tenant:read'] }));
  expect(await other.get('/v1/webhook-sources')).toMatchObject({ status: 403 });
});
