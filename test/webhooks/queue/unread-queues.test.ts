import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { lookAfterQueues } from '../../../commands/webhooks/look-after-queues.ts';
import { deactivateEndpoint } from '../../../commands/webhooks/change-endpoint-health.ts';
import { deliveriesToReconcile, endpointsToReconcile } from '../../../db/reconcile/reconcile-webhooks.ts';
import { WebhookDeliveryEntity } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { anEndpoint } from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { anEventFor } from '../recorded-attempts.ts';
import { aPullEndpoint } from './pull-endpoint.ts';

const api = await suiteApi();
const { database } = api;

function after(hours: number): Date {
  return new Date(Date.now() + hours * 3_600_000);
}

test('a queue that is not read for 24 hours while deliveries wait is failing, is never disabled, and active once it is read', async () => {
  const place = await aPullEndpoint(api, { events: ['nps.*'] });
  const listener = await anEndpoint(database, place.tenantId, ['endpoint.*']);
  await place.read();
  await anEventFor(database, place);
  await lookAfterQueues(database, after(23.9));
  expect(await place.shown()).toMatchObject({ status: 'active' });
  await lookAfterQueues(database, after(24.1));
  await lookAfterQueues(database, after(24.2));
  expect(await place.shown()).toMatchObject({ status: 'failing', deactivateAt: null });
  const notices = await place.client.get('/v1/notifications');
  expect(notices.body['items']).toMatchObject([
    { kind: 'endpoint_failing', endpointId: place.endpointId, message: expect.stringContaining('24 hours') },
  ]);
  expect(await database.write((em) => deactivateEndpoint(em, place, after(100)))).toEqual({
    status: 'unread',
  });
  expect((await place.read()).items).toHaveLength(1);
  expect(await place.shown()).toMatchObject({ status: 'active', failingSince: null });
  const told = await database
    .em()
    .find(WebhookDeliveryEntity, { endpointId: listener }, { orderBy: { id: 'asc' } });
  expect(told.map(({ eventType }) => eventType)).toEqual(['endpoint.failing', 'endpoint.recovered']);
});

test('an empty queue does not fail, however long it is not read', async () => {
  const place = await aPullEndpoint(api, { events: ['nps.*'] });
  await lookAfterQueues(database, after(1000));
  expect(await place.shown()).toMatchObject({ status: 'active' });
});

test('what waits for more than 30 days ends as skipped, and can be replayed', async () => {
  const place = await aPullEndpoint(api, { events: ['nps.*'] });
  const { id } = await anEventFor(database, place);
  await lookAfterQueues(database, after(30 * 24 - 1));
  expect(await place.statusOf(id)).toBe('pending');
  await lookAfterQueues(database, after(30 * 24 + 1));
  expect(await place.statusOf(id)).toBe('skipped');
  expect((await place.read()).items).toEqual([]);
  const path = `/v1/webhook-endpoints/${place.endpointId}/replay-preview?since=${new Date(0).toISOString()}`;
  expect((await place.client.get(path)).body).toEqual({ deliveries: 1 });
});

test('reconciliation looks for no workflow of what waits in a queue, nor of a failing pull endpoint', async () => {
  const place = await aPullEndpoint(api, { events: ['nps.*'] });
  const { id } = await anEventFor(database, place);
  await lookAfterQueues(database, after(25));
  await sql`UPDATE notification SET mail = 'sent', emailed_at = now() WHERE endpoint_id = ${place.endpointId}`.execute(
    database.em().getKysely(),
  );
  const wanted = { after: null, limit: 10_000, before: after(30) };
  const found = [
    ...(await deliveriesToReconcile.page(database.em(), wanted)),
    ...(await endpointsToReconcile.page(database.em(), wanted)),
  ].map((row) => row.id);
  expect(found).not.toContain(id);
  expect(found).not.toContain(place.endpointId);
});
