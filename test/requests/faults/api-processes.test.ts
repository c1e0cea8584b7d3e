import { expect, test } from '@jest/globals';
import { Client } from 'pg';
import { uuidv7 } from 'uuidv7';
import { suiteApi } from '../../support/servers/api-server.ts';
import { expireHolds } from '../../appointments/holds/expire-holds.ts';
import { appointmentIn, createApiClient, type ApiClient } from '../../support/api-client.ts';
import { bookingBody, inHours } from '../../support/clinic.ts';
import { forSuite } from '../../support/for-suite.ts';
import { lockWaits } from '../../support/lock-waits.ts';
import { until } from '../../support/until.ts';
import { startApiProcess } from '../../support/servers/api-process.ts';

const api = await suiteApi();
const [row] = await api.database.em().execute<[{ name: string }]>('SELECT current_database() AS name');
const databaseUrl = new URL(`/${row.name}`, process.env['TEST_TEMPLATE_URL']).href;

const survivor = await forSuite(startApiProcess(databaseUrl));

async function appointmentsAt(startsAt: string): Promise<number> {
  const [row] = await api.database
    .em()
    .execute<[{ n: number }]>(
      'SELECT count(*)::int AS n FROM appointment JOIN webhook_event ON appointment_id = appointment.id WHERE starts_at = ?',
      [startsAt],
    );
  return row.n;
}

test('a process killed in the middle of a booking leaves nothing, and the repeated request books once', async () => {
  await using killed = await startApiProcess(databaseUrl);
  const body = bookingBody(api.clinic, inHours(1));
  const headers = { 'idempotency-key': uuidv7() };
  const key = await api.keyOf();
  await using hold = await holdUpEvents();
  const lost = createApiClient(killed.url, key).post('/v1/appointments', body, headers);
  const outcome = expect(lost).rejects.toThrow();
  await until('the booking to be half done', () => lockWaits(api.database.em(), 'clinic-api'));
  await killed.kill();
  await outcome;
  const repeated = createApiClient(survivor.url, key).post('/v1/appointments', body, headers);
  await hold.release();
  const booked = await repeated;
  expect(booked.status).toBe(201);
  expect(booked.headers.has('idempotency-replayed')).toBe(false);
  expect(await appointmentsAt(body.startsAt)).toBe(1);
  const again = await createApiClient(survivor.url, key).post('/v1/appointments', body, headers);
  expect([again.headers.get('idempotency-replayed'), again.text]).toEqual(['true', booked.text]);
});

test('a process killed once the booking is stored, answered or not: the repeated request finds it', async () => {
  await using killed = await startApiProcess(databaseUrl);
  const body = bookingBody(api.clinic, inHours(2));
  const headers = { 'idempotency-key': uuidv7() };
  const key = await api.keyOf();
  const lost = createApiClient(killed.url, key).post('/v1/appointments', body, headers);
  const outcome = lost.then(
    ({ text }) => text,
    () => null,
  );
  await until('the booking to be stored', async () => (await appointmentsAt(body.startsAt)) === 1);
  await killed.kill();
  const repeated = await createApiClient(survivor.url, key).post('/v1/appointments', body, headers);
  expect(repeated.headers.get('idempotency-replayed')).toBe('true');
  expect([null, repeated.text]).toContain(await outcome);
  expect(appointmentIn(repeated).startsAt).toBe(body.startsAt);
  expect(await appointmentsAt(body.startsAt)).toBe(1);
});

test('a process killed between a hold and its booking: the hold keeps the time for the repeat, or ends by itself', async () => {
  await using killed = await startApiProcess(databaseUrl);
  const key = await api.keyOf();
  const [dying, living] = [createApiClient(killed.url, key), createApiClient(survivor.url, key)];
  const { patientName, patientPhone, ...slot } = bookingBody(api.clinic, inHours(3));
  const left = { ...slot, startsAt: inHours(4).toISOString() };
  const [holdId, leftId] = [await aHold(dying, slot), await aHold(dying, left)];
  const body = { ...slot, patientName, patientPhone, holdId };
  const headers = { 'idempotency-key': uuidv7() };
  await using hold = await holdUpEvents();
  const outcome = expect(dying.post('/v1/appointments', body, headers)).rejects.toThrow();
  await until('the booking to be half done', () => lockWaits(api.database.em(), 'clinic-api'));
  await killed.kill();
  await outcome;
  await hold.release();
  expect((await living.post('/v1/appointments', { ...body, holdId: undefined })).status).toBe(409);
  expect((await living.post('/v1/appointments', body, headers)).status).toBe(201);
  expect(await appointmentsAt(slot.startsAt)).toBe(1);

  await expireHolds(api.database, [leftId]);
  const other = { ...left, patientName: 'Rui', patientPhone };
  expect((await living.post('/v1/appointments', other)).status).toBe(201);
});

async function aHold(client: ApiClient, slot: Record<string, unknown>): Promise<string> {
  const held = await client.post('/v1/slot-holds', slot);
  expect(held.status).toBe(201);
  return String(held.body['id']);
}

/** A booking has written its appointment when it waits here. */
async function holdUpEvents(): Promise<AsyncDisposable & { release(): Promise<void> }> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'holding-up' });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE webhook_event IN ACCESS EXCLUSIVE MODE');
  const release = async () => void (await client.query('ROLLBACK'));
  return { release, [Symbol.asyncDispose]: () => client.end() };
}
