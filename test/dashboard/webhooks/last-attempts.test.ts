import { expect, test } from '@jest/globals';
import { RETRY_WORDS } from '../../../dashboard/webhooks/deliveries/retry-words.ts';
import { WebhookDeliveryEntity } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { anEndpoint } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { anEventFor, attempted } from '../../webhooks/recorded-attempts.ts';

const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const { tenantId } = clinic;
const owner = await dashboard.person('ana');
const sofia = await dashboard.person('sofia');
const words = RETRY_WORDS.en;

/** An endpoint that has failed for a while: of its deliveries so many have had so many attempts. */
async function anEndpointWith(deliveries: Record<number, number>): Promise<string> {
  const endpointId = await anEndpoint(database, tenantId);
  for (const [attempts, count] of Object.entries(deliveries))
    for (let nr = 0; nr < count; nr += 1) {
      const delivery = await anEventFor(database, { tenantId, endpointId });
      await attempted(database, delivery, { number: Number(attempts), status: 503 });
    }
  await database
    .em()
    .nativeUpdate(WebhookDeliveryEntity, { endpointId }, { createdAt: new Date(Date.now() - 600_000) });
  return endpointId;
}

const HOUR_MS = 3_600_000;
/** How many of its deliveries still wait for hours. */
const waitingOf = (endpointId: string) =>
  database.em().count(WebhookDeliveryEntity, {
    endpointId,
    nextAttemptAt: { $gt: new Date(Date.now() + HOUR_MS / 60) },
  });

test('retrying all says which attempts it uses, and uses the last ones only when that is confirmed', async () => {
  const endpointId = await anEndpointWith({ 3: 4, 5: 2 });
  const address = `/integrations/endpoints/${endpointId}`;
  const { text } = await owner.get(address);
  expect(text).toContain('Sends 4 waiting deliveries again. Each will have 2 attempts left.');
  expect(text).toContain(`Sends 2 waiting deliveries again. ${words.last}`);
  const unsure = await owner.submit(`${address}/retry`);
  expect(unsure.status).toBe(422);
  expect(unsure.text).toContain(words.unsure);
  expect(await waitingOf(endpointId)).toBe(6);
  const sure = await owner.submit(`${address}/retry`, { sure: 'yes' });
  expect(sure.text).toContain('Retrying 6 deliveries now.');
  expect(await waitingOf(endpointId)).toBe(0);
});

test('a delivery that came to its last attempt since the page was opened is asked about', async () => {
  const endpointId = await anEndpointWith({ 4: 1 });
  const address = `/integrations/endpoints/${endpointId}`;
  const { text } = await owner.get(address);
  expect(text).not.toContain(words.sure);
  const delivery = await database.em().findOneOrFail(WebhookDeliveryEntity, { endpointId });
  await attempted(database, delivery, { number: 5, status: 503 });
  const asked = await owner.submit(`${address}/retry`);
  expect(asked.text).toContain(words.sure);
  expect(await waitingOf(endpointId)).toBe(1);
});

test('the support desk is asked in the same way', async () => {
  const endpointId = await anEndpointWith({ 2: 1, 5: 1 });
  const { text } = await sofia.get('/support/stuck');
  expect(text).toContain('Sends one waiting delivery again. It will have 3 attempts left.');
  const action = `/support/endpoints/${endpointId}/retry`;
  const unsure = await sofia.submit(action);
  expect(unsure.text).toContain(words.unsure);
  expect(await waitingOf(endpointId)).toBe(2);
  await sofia.submit(action, { sure: 'yes' });
  expect(await waitingOf(endpointId)).toBe(0);
});
