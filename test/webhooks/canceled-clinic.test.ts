import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { updateTenantByOperator } from '../../commands/clinic/update-tenant.ts';
import { sendTestEvent } from '../../commands/webhooks/send-test-event.ts';
import {
  replayDeliveries,
  replayPage,
  resendUndelivered,
} from '../../commands/webhooks/sending-again/replay-deliveries.ts';
import { resendForClinic } from '../../commands/webhooks/sending-again/resend-delivery.ts';
import { insertReplay } from '../../db/webhooks/endpoints/endpoint-replay.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import type { TenantStatus } from '../../domain/clinic/tenant.ts';
import { aClinic, anEndpoint, asOperator, book, inHours } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { anEventFor, anEventUsedUp, attempted } from './recorded-attempts.ts';

const database = await suiteDatabase({ applicationName: 'canceled clinic' });

function setStatus(tenantId: string, status: TenantStatus) {
  return database.write((em) => updateTenantByOperator(em, { tenantId, status }, asOperator()));
}

/** What waits in the outbox for a clinic, by kind. */
async function askedFor(tenantId: string): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    SELECT message ->> 'kind' AS kind FROM outbox WHERE message ->> 'clinicId' = ${tenantId} ORDER BY id
  `.execute(database.em().getKysely());
  return rows.map(({ kind }) => kind);
}

test('an event of a canceled clinic is stored as skipped, its timer starts, and once it is active again events are sent', async () => {
  const clinic = await aClinic(database);
  const { tenantId } = clinic;
  const endpointId = await anEndpoint(database, tenantId);
  await setStatus(tenantId, 'canceled');
  const { id } = await book(database, clinic);
  const [delivery] = await database.em().find(WebhookDeliveryEntity, { appointmentId: id });
  expect(delivery).toMatchObject({ status: 'skipped', nextAttemptAt: null });
  expect(await askedFor(tenantId)).toEqual(['startNoShow']);

  await setStatus(tenantId, 'active');
  expect(await anEventFor(database, { tenantId, endpointId })).toMatchObject({ status: 'pending' });
});

test('canceling a clinic ends its open deliveries as skipped and leaves other clinics alone', async () => {
  const [canceled, other] = [await aClinic(database), await aClinic(database)];
  const [waiting, tried, others] = [
    { tenantId: canceled.tenantId, endpointId: await anEndpoint(database, canceled.tenantId) },
    { tenantId: canceled.tenantId, endpointId: await anEndpoint(database, canceled.tenantId, ['nps.*']) },
    { tenantId: other.tenantId, endpointId: await anEndpoint(database, other.tenantId) },
  ];
  const unattempted = await anEventFor(database, waiting);
  const retrying = await anEventFor(database, tried);
  await attempted(database, retrying, { number: 1, status: 500 });
  const foreign = await anEventFor(database, others);

  await setStatus(canceled.tenantId, 'canceled');

  const statusOf = async ({ id }: { id: string }) =>
    (await database.em().findOneOrFail(WebhookDeliveryEntity, { id })).status;
  expect(await Promise.all([unattempted, retrying, foreign].map(statusOf))).toEqual([
    'skipped',
    'skipped',
    'pending',
  ]);
  expect(await askedFor(canceled.tenantId)).toEqual(['endpointSwitchedOff']);
  expect(await askedFor(other.tenantId)).toEqual(['startDelivery']);
});

test('a replay that is under way ends when the clinic is canceled', async () => {
  const { tenantId } = await aClinic(database);
  const endpointId = await anEndpoint(database, tenantId);
  const replayId = uuidv7();
  const scope = { tenantId, endpointId, since: new Date(0), until: inHours(1), include: 'all' as const };
  await database.write((em) => insertReplay(em, { ...scope, id: replayId, endedBy: inHours(1) }));
  await attempted(database, await anEventFor(database, scope), { number: 1, status: 200 });
  await setStatus(tenantId, 'canceled');
  const ended = await database.write((em) => replayPage(em, { tenantId, replayId }, new Date()));
  expect(ended).toEqual({ deliveries: 0, isFinished: true });
});

test('an operator and the support desk can send nothing to a canceled clinic', async () => {
  const { tenantId } = await aClinic(database);
  const endpointId = await anEndpoint(database, tenantId);
  const place = { tenantId, endpointId };
  const delivery = await anEventUsedUp(database, place);
  await setStatus(tenantId, 'canceled');
  const range = { since: new Date(0), until: inHours(1) };
  const context = asOperator();
  const asks = [
    () => database.write((em) => sendTestEvent(em, { tenantId: null, endpointId, exampleOf: null }, context)),
    () => database.write((em) => resendForClinic(em, delivery, context)),
    () => database.write((em) => replayDeliveries(em, { ...place, ...range, include: 'all' }, context)),
  ];
  for (const ask of asks) await expect(ask()).rejects.toMatchObject({ code: 'clinic_inactive' });
  const undelivered = { ...place, ...range, seen: '0' };
  expect(await database.write((em) => resendUndelivered(em, undelivered, context))).toBe(0);
  expect(await database.em().count(WebhookDeliveryEntity, { tenantId })).toBe(1);
});
