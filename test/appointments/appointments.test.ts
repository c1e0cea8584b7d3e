import { describe, expect, test } from '@jest/globals';
import { updateProfessional } from '../../commands/clinic/professionals/save-professional.ts';
import { setEligibleProfessionals } from '../../db/clinic/services.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import {
  appointmentIn,
  appointmentsIn,
  createApiClient,
  nextCursorIn,
  wrongPathsIn,
} from '../support/api-client.ts';
import { aClinic, asOperator, bookingBody, inHours } from '../support/clinic.ts';

let nextHour = 1;

const api = await suiteApi();

function aBookingBody(changes: Record<string, unknown> = {}) {
  return bookingBody(api.clinic, inHours(nextHour++), changes);
}

async function booked(changes: Record<string, unknown> = {}) {
  const answer = await api.client.post('/v1/appointments', aBookingBody(changes));
  expect(answer.status).toBe(201);
  return appointmentIn(answer);
}

describe('booking', () => {
  test('answers the confirmed appointment, where it is and its version', async () => {
    const body = aBookingBody({
      patientNotes: 'First visit',
      externalId: 'pms-1',
      patientExternalId: 'patient-1',
      metadata: { chair: 2 },
    });
    const answer = await api.client.post('/v1/appointments', body);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      professionalId: body.professionalId,
      serviceTypeId: body.serviceTypeId,
      patientName: 'Ana Martins',
      startsAt: body.startsAt,
      status: 'confirmed',
      source: 'manual',
      patientNotes: 'First visit',
      externalId: 'pms-1',
      patientExternalId: 'patient-1',
      metadata: { chair: 2 },
      version: 1,
    });
    expect(answer.headers.get('location')).toBe(`/v1/appointments/${appointmentIn(answer).id}`);
    expect(answer.headers.get('etag')).toBe('"1"');
    expect(answer.text).not.toContain('912345678');
    const read = await api.client.get(`/v1/appointments/${appointmentIn(answer).id}`);
    expect(read.body).toEqual(answer.body);
  });

  test('reads a start with any offset and without seconds', async () => {
    const answer = await booked({ startsAt: '2031-05-06T10:30+02:00' });
    expect(answer.startsAt).toBe('2031-05-06T08:30:00.000Z');
    expect(answer.endsAt).toBe('2031-05-06T09:00:00.000Z');
  });

  test('a taken slot is a conflict with free alternatives', async () => {
    const body = aBookingBody();
    await api.client.post('/v1/appointments', body);
    const answer = await api.client.post('/v1/appointments', { ...body, patientName: 'Someone Else' });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      error: 'slot_conflict',
      requestId: answer.headers.get('x-request-id'),
    });
    expect(answer.body['alternatives']).toHaveLength(3);
    expect(answer.text).not.toContain('Martins');
  });

  test('a start long past needs the scope to set the source', async () => {
    const body = aBookingBody({ startsAt: inHours(-48).toISOString() });
    const pms = createApiClient(api.url, await api.keyOf({ scopes: ['appointments:write'] }));
    const refused = await pms.post('/v1/appointments', body);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ error: 'starts_in_past', errors: [{ path: 'body.startsAt' }] });
    expect((await api.client.post('/v1/appointments', body)).status).toBe(201);
  });

  test('the source can be set only with its scope', async () => {
    const pms = createApiClient(api.url, await api.keyOf({ scopes: ['appointments:write'] }));
    const refused = await pms.post('/v1/appointments', aBookingBody({ source: 'voice_ai' }));
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      error: 'insufficient_scope',
      requiredScopes: ['appointments:source'],
    });
    expect((await booked({ source: 'voice_ai' })).source).toBe('voice_ai');
  });

  test('an external id that is in use is a conflict', async () => {
    await booked({ externalId: 'pms-twice' });
    const answer = await api.client.post('/v1/appointments', aBookingBody({ externalId: 'pms-twice' }));
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ error: 'external_id_conflict' });
  });

  test('a professional who has left is told from one who does not offer the service; what is booked can be moved', async () => {
    const clinic = await aClinic(api.database, { professionals: 2 });
    const { tenantId, serviceTypeId } = clinic;
    const [leaving = '', other = ''] = clinic.professionalIds;
    const client = createApiClient(api.url, await api.keyOf({ tenantId }));
    const stands = appointmentIn(await client.post('/v1/appointments', bookingBody(clinic, inHours(30))));
    const moved = appointmentIn(
      await client.post('/v1/appointments', bookingBody(clinic, inHours(31), { professionalId: other })),
    );
    await api.database.write((em) =>
      setEligibleProfessionals(em, { tenantId, id: serviceTypeId }, [leaving]),
    );
    const wanted = (professionalId: string) => bookingBody(clinic, inHours(32), { professionalId });
    const toLeaving = { startsAt: inHours(33).toISOString(), professionalId: leaving };
    expect(await client.post('/v1/appointments', wanted(other))).toMatchObject({
      status: 422,
      body: { error: 'service_not_offered' },
    });
    await leave(tenantId, leaving);
    for (const refused of [
      await client.post('/v1/appointments', wanted(leaving)),
      await client.patch(`/v1/appointments/${moved.id}`, toLeaving),
    ]) {
      expect(refused).toMatchObject({
        status: 422,
        body: { error: 'professional_inactive', errors: [{ path: 'body.professionalId' }] },
      });
    }
    const later = { startsAt: inHours(34).toISOString() };
    expect((await client.patch(`/v1/appointments/${stands.id}`, later)).status).toBe(200);
  });
});

function leave(tenantId: string, professionalId: string) {
  const change = { tenantId, professionalId, fields: { active: false } };
  return api.database.write((em) => updateProfessional(em, change, asOperator()));
}

describe('changing', () => {
  test('a check-in is answered with the next version', async () => {
    const { id } = await booked();
    const answer = await api.client.patch(`/v1/appointments/${id}`, { status: 'attended' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'attended', version: 2, checkedInAt: expect.any(String) });
    expect(answer.headers.get('etag')).toBe('"2"');
    expect(answer.body).not.toHaveProperty('replacement');
  });

  test('a change of nothing keeps the version', async () => {
    const { id } = await booked({ patientNotes: 'Allergic to latex' });
    for (const body of [{}, { patientNotes: 'Allergic to latex' }, { status: 'confirmed' }]) {
      const answer = await api.client.patch(`/v1/appointments/${id}`, body);
      expect([answer.status, answer.body['version']]).toEqual([200, 1]);
    }
  });

  test('a move answers the original and its replacement', async () => {
    const original = await booked({ externalId: 'pms-moved', metadata: { chair: 1 } });
    const startsAt = inHours(nextHour++).toISOString();
    const answer = await api.client.patch(`/v1/appointments/${original.id}`, { startsAt });
    expect(answer.body).toMatchObject({ id: original.id, status: 'rescheduled', version: 2 });
    expect(answer.body['replacement']).toMatchObject({
      id: answer.body['rescheduledToId'],
      rescheduledFromId: original.id,
      status: 'confirmed',
      startsAt,
      externalId: 'pms-moved',
      metadata: { chair: 1 },
    });
    const late = await api.client.patch(`/v1/appointments/${original.id}`, { status: 'attended' });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({
      error: 'appointment_rescheduled',
      rescheduledToId: answer.body['rescheduledToId'],
    });
  });

  test('a refused transition says what is allowed', async () => {
    const { id } = await booked();
    const answer = await api.client.patch(`/v1/appointments/${id}`, { status: 'no_show' });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      error: 'invalid_status_transition',
      from: 'confirmed',
      to: 'no_show',
      allowed: ['attended', 'cancelled'],
    });
  });

  test('a reason without a cancellation is refused', async () => {
    const { id } = await booked();
    const answer = await api.client.patch(`/v1/appointments/${id}`, { reason: 'auto' });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ errors: [{ path: 'body.reason' }] });
  });

  test('a corrected phone number finds the patient from then on, and is shown nowhere', async () => {
    const { id } = await booked({ patientPhone: '+351912000005' });
    const changed = await api.client.patch(`/v1/appointments/${id}`, { patientPhone: '+351912000006' });
    expect([changed.status, changed.body['version']]).toEqual([200, 2]);
    expect(changed.text).not.toContain('912000006');
    const found = async (patientPhone: string) =>
      appointmentsIn(await api.client.post('/v1/appointments/search', { patientPhone })).map((one) => one.id);
    expect(await found('+351912000005')).toEqual([]);
    expect(await found('+351912000006')).toEqual([id]);
    const same = await api.client.patch(`/v1/appointments/${id}`, { patientPhone: '+351912000006' });
    expect(same.body['version']).toBe(2);
  });

  test('If-Match lets only the reader of the current version write', async () => {
    const { id } = await booked();
    const path = `/v1/appointments/${id}`;
    expect((await api.client.patch(path, { patientNotes: 'a' }, { 'if-match': '"1"' })).status).toBe(200);
    const stale = await api.client.patch(path, { patientNotes: 'b' }, { 'if-match': '"1"' });
    expect(stale.status).toBe(412);
    expect(stale.body).toMatchObject({ error: 'version_mismatch', version: 2 });
    expect((await api.client.delete(path, { 'if-match': '"1"' })).status).toBe(412);
    const unreadable = await api.client.patch(path, { patientNotes: 'b' }, { 'if-match': 'two' });
    expect([unreadable.status, unreadable.body['error']]).toEqual([400, 'malformed_request']);
    expect((await api.client.patch(path, { patientNotes: 'c' }, { 'if-match': '*' })).status).toBe(200);
  });

  test('deleting cancels, and once is enough', async () => {
    const { id } = await booked();
    const first = await api.client.delete(`/v1/appointments/${id}`);
    expect([first.status, first.text]).toEqual([204, '']);
    expect((await api.client.delete(`/v1/appointments/${id}`)).status).toBe(204);
    const read = await api.client.get(`/v1/appointments/${id}`);
    expect(read.body).toMatchObject({
      status: 'cancelled',
      cancellationReason: 'clinic_cancelled',
      version: 2,
    });
  });
});

describe('listing', () => {
  test('pages by start until there is no more', async () => {
    const clinic = await aClinic(api.database, { professionals: 2 });
    const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
    const starts = [5, 3, 4, 1, 2].map((hours) => inHours(hours).toISOString());
    for (const professionalId of clinic.professionalIds) {
      for (const startsAt of starts) {
        const body = aBookingBody({ professionalId, serviceTypeId: clinic.serviceTypeId, startsAt });
        expect((await client.post('/v1/appointments', body)).status).toBe(201);
      }
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await client.get('/v1/appointments', { limit: '3', ...(cursor && { cursor }) });
      expect(page.body['hasMore']).toBe(nextCursorIn(page) !== null);
      seen.push(...appointmentsIn(page).map(({ id }) => id));
      cursor = nextCursorIn(page);
    } while (cursor);
    const whole = await client.get('/v1/appointments');
    expect(appointmentsIn(whole)).toHaveLength(10);
    expect(whole.body).toMatchObject({ nextCursor: null, hasMore: false });
    expect(seen).toEqual(appointmentsIn(whole).map(({ id }) => id));
    const listed = appointmentsIn(whole).map(({ startsAt }) => startsAt);
    expect(listed).toEqual([...listed].sort());
  });

  test('filters by time, professional, status and external id', async () => {
    const appointment = await booked({
      externalId: 'pms-filter',
      professionalId: api.clinic.professionalIds[1],
    });
    await api.client.delete(`/v1/appointments/${appointment.id}`);
    const startsAt = new Date(appointment.startsAt);
    const later = new Date(startsAt.getTime() + 1).toISOString();
    const finds = async (query: Record<string, string>) => {
      const answer = await api.client.get('/v1/appointments', { externalId: 'pms-filter', ...query });
      return appointmentsIn(answer).length;
    };
    expect(await finds({})).toBe(1);
    expect(await finds({ from: appointment.startsAt, to: later })).toBe(1);
    expect(await finds({ to: appointment.startsAt })).toBe(0);
    expect(await finds({ from: later })).toBe(0);
    expect(await finds({ status: 'cancelled' })).toBe(1);
    expect(await finds({ status: 'confirmed' })).toBe(0);
    expect(await finds({ professionalId: appointment.professionalId.toUpperCase() })).toBe(1);
    expect(await finds({ professionalId: api.clinic.professionalIds[0] ?? '' })).toBe(0);
  });

  test('finds the visits of a patient by the number that the PMS has for them', async () => {
    const first = await booked({ patientExternalId: 'patient-2' });
    const second = await booked({ patientPhone: '+351912000002' });
    await booked({ patientExternalId: 'patient-3' });
    await api.client.patch(`/v1/appointments/${second.id}`, { patientExternalId: 'patient-2' });
    const patient = { patientExternalId: 'patient-2' };
    const moved = await api.client.patch(`/v1/appointments/${first.id}`, { startsAt: inHours(nextHour++) });
    const ids = [first.id, second.id, appointmentIn(moved).rescheduledToId];
    const listed = appointmentsIn(await api.client.get('/v1/appointments', patient));
    expect(listed.map(({ id }) => id)).toEqual(ids);
    const found = appointmentsIn(await api.client.post('/v1/appointments/search', patient));
    expect(found).toEqual(listed);
    expect(found[1]).toMatchObject({ ...patient, version: 2 });
    for (const body of [{}, { ...patient, patientPhone: '+351912000002' }]) {
      const answer = await api.client.post('/v1/appointments/search', body);
      expect([answer.status, wrongPathsIn(answer)]).toEqual([422, ['body.patientPhone']]);
    }
  });

  test('the number of a patient is corrected at the replacement, once the appointment was moved', async () => {
    const { id } = await booked();
    const startsAt = inHours(nextHour++);
    await api.client.patch(`/v1/appointments/${id}`, { startsAt });
    const answer = await api.client.patch(`/v1/appointments/${id}`, { patientExternalId: 'patient-4' });
    expect([answer.status, answer.body['error']]).toEqual([409, 'appointment_rescheduled']);
  });

  test('an unescaped plus before an offset is understood', async () => {
    const { id, startsAt } = await booked({ externalId: 'pms-plus' });
    const local = new Date(Date.parse(startsAt) + 3_600_000).toISOString().replace('.000Z', '+01:00');
    const answer = await api.client.get(`/v1/appointments?externalId=pms-plus&from=${local}`);
    expect(answer.body['items']).toMatchObject([{ id }]);
  });
});

describe('another clinic', () => {
  test('can neither see nor touch an appointment, nor book with foreign ids', async () => {
    const { id, version } = await booked();
    const other = await aClinic(api.database);
    const stranger = createApiClient(api.url, await api.keyOf({ tenantId: other.tenantId }));
    const path = `/v1/appointments/${id}`;
    expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.patch(path, { status: 'cancelled' })).status).toBe(404);
    expect((await stranger.delete(path)).status).toBe(404);
    const list = await stranger.get('/v1/appointments', {
      professionalId: api.clinic.professionalIds[0] ?? '',
    });
    expect(list.body['items']).toEqual([]);
    const foreignService = await stranger.post('/v1/appointments', aBookingBody());
    expect([foreignService.status, wrongPathsIn(foreignService)]).toEqual([422, ['body.serviceTypeId']]);
    const foreignProfessional = await stranger.post(
      '/v1/appointments',
      aBookingBody({ serviceTypeId: other.serviceTypeId }),
    );
    expect([foreignProfessional.status, wrongPathsIn(foreignProfessional)]).toEqual([
      422,
      ['body.professionalId'],
    ]);
    expect((await api.client.get(path)).body['version']).toBe(version);
  });
});
