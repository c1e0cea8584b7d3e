import { expect, test } from '@jest/globals';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { nameBurst } from '../../db/webhooks/deliveries/delivery-steps.ts';
import { WORKFLOW_RETENTION_DAYS } from '../../domain/temporal-names.ts';
import { attempted } from '../webhooks/recorded-attempts.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { anEndpoint, book, bookingBody, change, inHours } from '../support/clinic.ts';

const api = await suiteApi();
const { database, clinic } = api;
await anEndpoint(api.database, api.clinic.tenantId);

test('the timeline tells every change with its request, the events and how their deliveries stand', async () => {
  const booked = await api.client.post(
    '/v1/appointments',
    bookingBody(api.clinic, inHours(48), { patientName: 'Teresa Lima' }),
  );
  const path = `/v1/appointments/${String(booked.body['id'])}`;
  const checkedIn = await api.client.patch(path, { status: 'attended', patientNotes: 'on time' });
  const { status, body, text } = await api.client.get(`${path}/timeline`);
  expect(status).toBe(200);
  const items = body['items'] as Record<string, unknown>[];
  expect(items.map(({ kind, eventType }) => eventType ?? kind)).toEqual([
    'created',
    'appointment.created',
    'appointment.created',
    'attended',
    'appointment.attended',
    'appointment.attended',
  ]);
  expect(items[0]).toMatchObject({ requestId: booked.headers.get('x-request-id') });
  expect(items[3]).toMatchObject({
    requestId: checkedIn.headers.get('x-request-id'),
    changes: { status: { from: 'confirmed', to: 'attended' }, fields: ['patientNotes'] },
  });
  expect(items[0]?.['actor']).toMatch(/^key:/);
  expect(items[2]).toMatchObject({ kind: 'delivery', deliveryStatus: 'pending', attemptCount: 0 });
  expect(text).not.toContain('on time');
  expect(text).not.toContain('Teresa');
  const workflowId = `appointment:${String(booked.body['id'])}`;
  expect(body).toMatchObject({
    workflowId,
    workflowUrl: `http://temporal.test/namespaces/default/workflows/${encodeURIComponent(workflowId)}`,
  });
});

test('the lines of deliveries link to the workflows that are their records, bursts too, for as long as Temporal keeps them', async () => {
  const { id: appointmentId } = await book(database, clinic, { startsAt: inHours(96) });
  const delivery = await database.em().findOneOrFail(WebhookDeliveryEntity, { appointmentId });
  const linked = async () => {
    const { body } = await api.client.get(`/v1/appointments/${appointmentId}/timeline`);
    const items = body['items'] as { kind: string; workflowUrl: string | null }[];
    const [unlinked, lines] = [
      items.filter(({ kind }) => kind !== 'delivery'),
      items.filter(({ kind }) => kind === 'delivery'),
    ];
    expect(unlinked.map(({ workflowUrl }) => workflowUrl)).toEqual(unlinked.map(() => null));
    return lines.map(({ workflowUrl }) => workflowUrl);
  };
  // It has no workflow before its first attempt.
  expect(await linked()).toEqual([null]);

  await attempted(database, delivery, { number: 1, status: 503 });
  const pages = 'http://temporal.test/namespaces/default/workflows';
  expect(await linked()).toEqual([`${pages}/${encodeURIComponent(String(delivery.workflowId))}`]);

  await attempted(database, delivery, { number: 2, status: 200 });
  const burst = `burst:${appointmentId}`;
  await nameBurst(database.em(), burst, [delivery.id]);
  expect(await linked()).toEqual([`${pages}/${encodeURIComponent(burst)}`]);

  const longAgo = inHours(-24 * (WORKFLOW_RETENTION_DAYS + 1));
  await database.em().nativeUpdate(WebhookDeliveryEntity, { id: delivery.id }, { updatedAt: longAgo });
  expect(await linked()).toEqual([null]);
});

test('a move stands in the histories of both appointments', async () => {
  const original = await book(database, clinic, { startsAt: inHours(72) });
  const { replacement } = await change(database, clinic, original.id, { startsAt: inHours(73) });
  const kindsOf = async (id: string) => {
    const { body } = await api.client.get(`/v1/appointments/${id}/timeline`);
    return (body['items'] as { kind: string; eventType: string | null }[])
      .filter(({ kind }) => kind !== 'delivery')
      .map(({ kind, eventType }) => eventType ?? kind);
  };
  expect(await kindsOf(original.id)).toEqual([
    'created',
    'appointment.created',
    'rescheduled',
    'appointment.rescheduled',
  ]);
  expect(await kindsOf(replacement?.id ?? '')).toEqual(['created', 'appointment.rescheduled']);
});

test('another clinic’s appointment has no timeline here', async () => {
  const path = '/v1/appointments/0195571c-5a60-7a3e-9f00-2f5d1c9b7a20/timeline';
  expect((await api.client.get(path)).status).toBe(404);
});
