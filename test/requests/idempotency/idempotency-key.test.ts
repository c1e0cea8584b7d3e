import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { suiteApi } from '../../support/servers/api-server.ts';
import { appointmentIn, createApiClient, type ApiAnswer } from '../../support/api-client.ts';
import { aClinic, bookingBody, inHours, type TestClinic } from '../../support/clinic.ts';

let nextHour = 1;

const api = await suiteApi();

function aBookingBody(changes: Record<string, unknown> = {}, clinic: TestClinic = api.clinic) {
  return bookingBody(clinic, inHours(nextHour++), changes);
}

function book(body: unknown, key: string, client = api.client): Promise<ApiAnswer> {
  return client.post('/v1/appointments', body, { 'idempotency-key': key });
}

function expectReplay(again: ApiAnswer, first: ApiAnswer): void {
  expect(again.text).toBe(first.text);
  expect(again.status).toBe(first.status);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  for (const name of ['content-type', 'etag', 'location']) {
    expect(again.headers.get(name)).toBe(first.headers.get(name));
  }
}

async function count(what: string, params: unknown[]): Promise<number> {
  const [row] = await api.database
    .em()
    .execute<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${what}`, params);
  return row?.n ?? 0;
}

test('50 identical bookings at once make one appointment and one event; the others replay the answer', async () => {
  const body = aBookingBody();
  const key = uuidv7();
  const answers = await Promise.all(Array.from({ length: 50 }, () => book(body, key)));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  const replays = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
  expect(replays).toHaveLength(49);
  expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(50);
  const { tenantId } = api.clinic;
  expect(await count('appointment WHERE tenant_id = ? AND starts_at = ?', [tenantId, body.startsAt])).toBe(1);
  const id = answers[0] && appointmentIn(answers[0]).id;
  expect(await count('webhook_event WHERE appointment_id = ?', [id])).toBe(1);
});

test('a booking is replayed with its ETag and Location, however its JSON is spelt', async () => {
  const body = aBookingBody({ metadata: { b: 1, a: [1.5, 'é'] } });
  const key = uuidv7();
  const first = await book(body, key);
  expect(first.status).toBe(201);
  const spelt = JSON.stringify(Object.fromEntries(Object.entries(body).reverse()), null, 2);
  const again = await api.client.send('POST', '/v1/appointments', {
    rawBody: spelt,
    headers: { 'idempotency-key': key },
  });
  expectReplay(again, first);
});

test('a change is replayed even after the appointment has changed again', async () => {
  const { id } = appointmentIn(await book(aBookingBody(), uuidv7()));
  const key = { 'idempotency-key': uuidv7() };
  const first = await api.client.patch(`/v1/appointments/${id}`, { patientNotes: 'first' }, key);
  await api.client.patch(`/v1/appointments/${id}`, { patientNotes: 'second' });
  expectReplay(await api.client.patch(`/v1/appointments/${id}`, { patientNotes: 'first' }, key), first);
  expect(appointmentIn(await api.client.get(`/v1/appointments/${id}`)).patientNotes).toBe('second');
});

test('a conflict is replayed even after its cause is gone', async () => {
  const body = aBookingBody();
  const { id } = appointmentIn(await book({ ...body, patientName: 'Rui Santos' }, uuidv7()));
  const key = uuidv7();
  const conflict = await book(body, key);
  expect(conflict.status).toBe(409);
  expect(conflict.body).toMatchObject({
    error: 'slot_conflict',
    requestId: conflict.headers.get('x-request-id'),
  });
  await api.client.delete(`/v1/appointments/${id}`);
  expectReplay(await book(body, key), conflict);
});

test('a missing resource, a missed version and a broken rule are replayed', async () => {
  const { id } = appointmentIn(await book(aBookingBody(), uuidv7()));
  const refusals: [number, () => Promise<ApiAnswer>][] = [
    [404, sameEachTime('PATCH', `/v1/appointments/${uuidv7()}`, { patientNotes: 'x' })],
    [412, sameEachTime('PATCH', `/v1/appointments/${id}`, { patientNotes: 'x' }, { 'if-match': '"7"' })],
    [422, sameEachTime('POST', '/v1/appointments', aBookingBody({ professionalId: uuidv7() }))],
  ];
  for (const [status, send] of refusals) {
    const first = await send();
    expect(first.status).toBe(status);
    expectReplay(await send(), first);
  }
});

function sameEachTime(method: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  const key = uuidv7();
  return () => api.client.send(method, path, { body, headers: { ...headers, 'idempotency-key': key } });
}

test('a request that could not be understood, or not be allowed, leaves its key free', async () => {
  const key = uuidv7();
  const weak = createApiClient(api.url, await api.keyOf({ scopes: ['appointments:write'] }));
  const refused = [
    await api.client.send('POST', '/v1/appointments', { rawBody: '{', headers: { 'idempotency-key': key } }),
    await book(aBookingBody({ patientPhone: 'none' }), key),
    await book(aBookingBody({ source: 'voice_ai' }), key, weak),
    await book(aBookingBody(), key, createApiClient(api.url, null)),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 422, 403, 401]);
  const booked = await book(aBookingBody(), key);
  expect(booked.status).toBe(201);
  expect(booked.headers.has('idempotency-replayed')).toBe(false);
});

test('the same key with another body, path, method or If-Match is refused and changes nothing', async () => {
  const key = uuidv7();
  const { id } = appointmentIn(await book(aBookingBody(), key));
  const headers = { 'idempotency-key': key };
  const others = [
    await book(aBookingBody(), key),
    await api.client.patch(`/v1/appointments/${id}`, { status: 'attended' }, headers),
    await api.client.patch('/v1/tenants/me', { name: 'Another' }, headers),
  ];
  const changeKey = { 'idempotency-key': uuidv7() };
  await api.client.patch(`/v1/appointments/${id}`, { patientNotes: 'x' }, changeKey);
  others.push(
    await api.client.patch(
      `/v1/appointments/${id}`,
      { patientNotes: 'x' },
      { ...changeKey, 'if-match': '"2"' },
    ),
  );
  for (const other of others) {
    expect([other.status, other.body['error']]).toEqual([422, 'idempotency_key_reused']);
  }
  expect(appointmentIn(await api.client.get(`/v1/appointments/${id}`))).toMatchObject({
    status: 'confirmed',
    version: 2,
  });
});

test('another clinic’s same key is another key, and another API key of the clinic is the same clinic', async () => {
  const clinic = await aClinic(api.database);
  const theirs = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
  const ours = createApiClient(api.url, await api.keyOf());
  const key = uuidv7();
  const body = aBookingBody();
  const first = await book(body, key);
  const elsewhere = await book(aBookingBody({}, clinic), key, theirs);
  expect(elsewhere.status).toBe(201);
  expect(appointmentIn(elsewhere).id).not.toBe(appointmentIn(first).id);
  expectReplay(await book(body, key, ours), first);
});

test('a key is 1 to 255 visible ASCII characters', async () => {
  for (const key of ['x'.repeat(256), 'two words', 'ção', '']) {
    const answer = await book(aBookingBody(), key);
    expect([answer.status, answer.body['error']]).toEqual([400, 'malformed_request']);
  }
  expect((await book(aBookingBody(), `!${'~'.repeat(254)}`)).status).toBe(201);
});

test('on requests that change nothing, or may be repeated anyway, the header means nothing', async () => {
  const { id } = appointmentIn(await book(aBookingBody(), uuidv7()));
  const headers = { 'idempotency-key': uuidv7() };
  for (const method of ['GET', 'DELETE', 'GET', 'DELETE']) {
    const answer = await api.client.send(method, `/v1/appointments/${id}`, { headers });
    expect(answer.status).toBeLessThan(300);
    expect(answer.headers.has('idempotency-replayed')).toBe(false);
  }
});

const ENDPOINTS = '/v1/webhook-endpoints';

test('a signing secret comes again for the key that asked, and for no other key of the clinic', async () => {
  const other = createApiClient(api.url, await api.keyOf());
  const body = { url: 'https://pms.example/hook' };
  const [create, rotate] = [uuidv7(), uuidv7()];
  const first = await api.client.post(ENDPOINTS, body, { 'idempotency-key': create });
  const path = `${ENDPOINTS}/${String(first.body['id'])}/rotate-secret`;
  const rotated = await api.client.post(path, {}, { 'idempotency-key': rotate });
  for (const [answer, address, sent, key] of [
    [first, ENDPOINTS, body, create],
    [rotated, path, {}, rotate],
  ] as const) {
    const secret = String(answer.body['secret']);
    const again = await api.client.post(address, sent, { 'idempotency-key': key });
    expect([again.text, secret.slice(0, 6)]).toEqual([answer.text, 'whsec_']);
    const refused = await other.post(address, sent, { 'idempotency-key': key });
    expect([refused.status, refused.body['error']]).toEqual([422, 'idempotency_key_reused']);
    expect(refused.text).not.toContain(secret);
  }
});

test('a key that may not read appointments learns of the patient only what it says itself', async () => {
  const writer = createApiClient(api.url, await api.keyOf({ scopes: ['appointments:write'] }));
  const patient = { patientNotes: 'Afraid of needles', metadata: { chair: 2 }, patientExternalId: 'p-7' };
  const booked = await book(aBookingBody(patient), uuidv7());
  const path = `/v1/appointments/${appointmentIn(booked).id}`;
  const withheld = {
    patientName: '',
    patientPhoneHash: '',
    patientNotes: null,
    metadata: null,
    patientExternalId: null,
  };
  const nothing = await writer.patch(path, {});
  expect([nothing.status, appointmentIn(nothing)]).toMatchObject([200, { ...withheld, status: 'confirmed' }]);
  expect(appointmentIn(await writer.patch(path, { patientNotes: 'Came by bus' }))).toMatchObject({
    ...withheld,
    patientNotes: 'Came by bus',
  });
  const startsAt = inHours(nextHour++).toISOString();
  const moved = await writer.patch(path, { startsAt }, { 'idempotency-key': 'moved' });
  expect(moved.body).toMatchObject({ ...withheld, replacement: { ...withheld, startsAt } });
  expect(moved.text).not.toMatch(/Ana Martins|bus/);
  const replaced = `/v1/appointments/${String(moved.body['rescheduledToId'])}`;
  expect((await writer.send('DELETE', replaced)).status).toBe(204);
  expect((await writer.send('POST', `${replaced}/reinstate`)).body['replacement']).toMatchObject(withheld);
});

test('a repeat hides from a key that may not read appointments what its own answer would', async () => {
  const writer = createApiClient(api.url, await api.keyOf({ scopes: ['appointments:write'] }));
  const booked = await book(aBookingBody(), uuidv7());
  const path = `/v1/appointments/${appointmentIn(booked).id}`;
  const [key, reader] = [{ 'idempotency-key': uuidv7() }, createApiClient(api.url, await api.keyOf())];
  const first = await api.client.patch(path, {}, key);
  expectReplay(await reader.patch(path, {}, key), first);
  const repeated = await writer.patch(path, {}, key);
  expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  const withheld = { patientName: '', patientPhoneHash: '', patientNotes: null, patientExternalId: null };
  expect(repeated.body).toEqual({ ...first.body, ...withheld, metadata: null });
  expectReplay(await writer.patch(path, {}, key), repeated);

  const [other, again] = [{ 'idempotency-key': uuidv7() }, aBookingBody({ patientNotes: 'By bus' })];
  const hidden = await writer.post('/v1/appointments', again, other);
  expect(hidden.body).toMatchObject({
    patientName: again.patientName,
    patientNotes: 'By bus',
    patientPhoneHash: '',
  });
  const whole = await reader.post('/v1/appointments', again, other);
  expect(whole.body).toEqual({ ...hidden.body, patientPhoneHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test('what is booked already is not shown again to a key that may not read it', async () => {
  const writer = createApiClient(api.url, await api.keyOf({ scopes: ['appointments:write'] }));
  const body = aBookingBody();
  const { id } = appointmentIn(await book({ ...body, patientNotes: 'Afraid of needles' }, uuidv7()));
  const key = { 'idempotency-key': uuidv7() };
  const shown = await api.client.post('/v1/appointments', body, key);
  expect(shown).toMatchObject({ status: 409, body: { appointmentId: id, appointment: { id } } });
  const repeated = await writer.post('/v1/appointments', body, key);
  expect([repeated.status, repeated.body['error'], repeated.body['appointmentId']]).toEqual([
    409,
    'already_booked',
    id,
  ]);
  expect(repeated.body).not.toHaveProperty('appointment');
  expect(repeated.text).not.toContain('needles');
});

function itemsIn({ body }: ApiAnswer): unknown {
  const { content } = body['result'] as { content: { text: string }[] };
  return (JSON.parse(content[0]?.text ?? '') as { items: unknown }).items;
}

test('what an agent was told is not told to an agent whose key may read less', async () => {
  const stranger = createApiClient(api.url, await api.keyOf({ scopes: ['tenant:read'] }));
  await book(aBookingBody(), uuidv7());
  const params = { name: 'find_appointments', arguments: { patientPhone: aBookingBody().patientPhone } };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const key = { 'idempotency-key': uuidv7() };
  const told = await api.client.post('/mcp', message, key);
  expect(told.text).toContain('Ana Martins');
  const again = await api.client.post('/mcp', message, key);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  // Only `now` is new.
  expect(itemsIn(again)).toEqual(itemsIn(told));
  const refused = await stranger.post('/mcp', message, key);
  expect(refused.body['result']).toMatchObject({ isError: true });
  expect(refused.text).not.toContain('Ana Martins');
});
