import { expect, test } from '@jest/globals';
import { markLateNoShows, markNoShow } from '../../commands/appointments/mark-no-show.ts';
import { findOverdueNoShows } from '../../db/appointments/no-shows.ts';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import { appointmentsToReconcile, overdueAppointments } from '../../db/reconcile/reconcile-appointments.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { appointmentIn, createApiClient } from '../support/api-client.ts';
import { aClinic, asOperator, bookingBody, inHours } from '../support/clinic.ts';

const MINUTE_MS = 60_000;

let nextHour = -3;

const api = await suiteApi();
const clinic = await aClinic(api.database, { professionals: 1 });
const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));

/** Settled by mistake. */
async function settled(
  status: string,
  startsAt = inHours(nextHour--),
  changes: Record<string, unknown> = {},
) {
  const booking = await client.post('/v1/appointments', bookingBody(clinic, startsAt, changes));
  expect(booking.status).toBe(201);
  const answer = await client.patch(`/v1/appointments/${appointmentIn(booking).id}`, { status });
  expect(answer.status).toBe(200);
  return appointmentIn(answer);
}

function reinstate(id: string, headers: Record<string, string> = {}) {
  return client.send('POST', `/v1/appointments/${id}/reinstate`, { headers });
}

async function reinstated(status: string) {
  const { body } = await reinstate((await settled(status)).id);
  return body['replacement'] as { id: string; startsAt: string };
}

test.each(['attended', 'no_show', 'cancelled'])(
  'what is %s by mistake is confirmed again',
  async (status) => {
    const details = { externalId: `pms-${status}`, patientNotes: 'n', patientExternalId: 'patient-9' };
    const original = await settled(status, undefined, details);
    const answer = await reinstate(original.id, { 'if-match': '"2"' });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"3"']);
    expect(answer.body).toMatchObject({ id: original.id, status: 'rescheduled', version: 3 });
    const { rescheduledToId, replacement } = answer.body;
    expect(replacement).toMatchObject({
      ...details,
      id: rescheduledToId,
      rescheduledFromId: original.id,
      status: 'confirmed',
      startsAt: original.startsAt,
      endsAt: original.endsAt,
      checkedInAt: null,
      cancellationReason: null,
      version: 1,
    });
    const { body } = await client.get('/v1/webhook-events', { appointmentId: original.id });
    const types = (body['items'] as { type: string }[]).map(({ type }) => type);
    expect(types).toEqual(['appointment.rescheduled', `appointment.${status}`, 'appointment.created']);
    const again = await reinstate(original.id);
    expect([again.status, again.body]).toMatchObject([
      409,
      { error: 'appointment_rescheduled', rescheduledToId },
    ]);
  },
);

test('a confirmed one has nothing to take back, and an unknown one is not found', async () => {
  const { id } = await reinstated('no_show');
  const confirmed = await reinstate(id);
  expect([confirmed.status, confirmed.body]).toMatchObject([
    409,
    { error: 'invalid_status_transition', from: 'confirmed', to: 'confirmed' },
  ]);
  expect((await reinstate(crypto.randomUUID())).status).toBe(404);
  expect((await reinstate(id, { 'if-match': '"7"' })).status).toBe(412);
});

test('a slot that was given away meanwhile is a conflict, and nothing is taken back', async () => {
  const { id, startsAt } = await settled('cancelled', inHours(72));
  expect((await client.post('/v1/appointments', bookingBody(clinic, new Date(startsAt)))).status).toBe(201);
  const refused = await reinstate(id);
  expect([refused.status, refused.body['error']]).toEqual([409, 'slot_conflict']);
  expect(refused.body['alternatives']).toHaveLength(3);
  expect((await client.get(`/v1/appointments/${id}`)).body).toMatchObject({
    status: 'cancelled',
    version: 2,
  });
});

test('with an Idempotency-Key a repeat gets the same replacement', async () => {
  const { id } = await settled('attended');
  const key = { 'idempotency-key': 'taken-back-once' };
  const first = await reinstate(id, key);
  const second = await reinstate(id, key);
  expect([second.status, second.text]).toEqual([200, first.text]);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
});

test('the grace period is half an hour from the reinstatement, no matter who asks', async () => {
  const { id } = await reinstated('no_show');
  const { tenantId } = clinic;
  const ask = () => api.database.write((em) => markNoShow(em, { tenantId, appointmentId: id }, asOperator()));
  const found = await ask();
  if (!('notDueForMs' in found)) throw new Error('it is due before its time');
  expect(found.notDueForMs).toBeGreaterThan(29 * MINUTE_MS);
  expect(found.notDueForMs).toBeLessThanOrEqual(30 * MINUTE_MS);
  // As if the appointment had been booked long before.
  await longAgo(id, 'created_at', 120);
  expect(await overdue()).not.toContain(id);
  expect(await marksOthers()).not.toContain(id);

  const dueAt = await timerOf(id);
  const { reinstatedAt } = await api.database.em().findOneOrFail(AppointmentEntity, { id });
  expect(dueAt).toBe((reinstatedAt?.getTime() ?? 0) + 30 * MINUTE_MS);
  await api.database.em().execute('DELETE FROM outbox WHERE ordering_key = ?', [`appointment:${id}`]);
  await api.database.write((em) => appointmentsToReconcile.restart(em, [id]));
  expect(await timerOf(id)).toBe(dueAt);

  await longAgo(id, 'reinstated_at', 40);
  expect(await overdue()).toContain(id);
  expect(await ask()).toMatchObject({ outcome: 'no_show' });
});

test('one that was reinstated before its start is awaited until half an hour after that, and so is one that is moved', async () => {
  const { id, startsAt } = await settled('cancelled', inHours(100));
  const { body } = await reinstate(id);
  const replacement = String(body['rescheduledToId']);
  expect(await timerOf(replacement)).toBe(Date.parse(startsAt) + 30 * MINUTE_MS);
  const moved = await reinstated('attended');
  const later = inHours(-30);
  const answer = await client.patch(`/v1/appointments/${moved.id}`, { startsAt: later });
  expect(await timerOf(String(answer.body['rescheduledToId']))).toBe(later.getTime() + 30 * MINUTE_MS);
});

/** Moves one of its times into the past. */
async function longAgo(id: string, column: 'created_at' | 'reinstated_at', minutes: number): Promise<void> {
  await api.database
    .em()
    .execute(`UPDATE appointment SET ${column} = ${column} - make_interval(mins => ?) WHERE id = ?`, [
      minutes,
      id,
    ]);
}

/** Everything that some search thinks should have been marked. */
async function overdue(): Promise<string[]> {
  const em = api.database.em();
  const before = new Date();
  const rows = await overdueAppointments(em, { after: null, limit: 100, before });
  const warned = await findOverdueNoShows(em);
  return [...rows.map((row) => row.id), JSON.stringify(warned)].flatMap(
    (text) => text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [],
  );
}

/** What a timer that comes late marks beside its own. */
async function marksOthers(): Promise<string[]> {
  const marked = await api.database.write((em) => markLateNoShows(em, () => asOperator()));
  return marked.map(({ appointmentId }) => appointmentId);
}

/** When the no-show timer that was asked for is due. */
async function timerOf(id: string): Promise<number> {
  const [row] = await api.database
    .em()
    .execute<{ due: string }[]>(
      `SELECT message ->> 'dueAt' AS due FROM outbox WHERE ordering_key = ? AND message ->> 'kind' = 'startNoShow'`,
      [`appointment:${id}`],
    );
  return Date.parse(row?.due ?? '');
}
