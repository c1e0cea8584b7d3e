import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { type Contract, takesIdempotencyKey } from '../../../api/contract/define-contracts.ts';
import { RECEPTION_TOOLS } from '../../../api/mcp/reception-tools.ts';
import { contracts } from '../../../api/resources.ts';
import { aSpeech, aStartedCall } from '../../calls/call-builders.ts';
import { aFullClinic } from '../../db/walls/full-clinic.ts';
import type { ApiAnswer } from '../../support/api-client.ts';
import { bookingBody, inHours } from '../../support/clinic.ts';
import { goodBodyFor, pathTo } from '../../support/good-requests.ts';
import { suiteApi } from '../../support/servers/api-server.ts';

const api = await suiteApi();
const clinic = await aFullClinic(api, 'mark');

let nextHour = 100;
const aTime = () => inHours(nextHour++).toISOString();

async function made(path: string, body: unknown): Promise<string> {
  return String((await clinic.client.post(path, body)).body['id']);
}
const aBookingId = () => made('/v1/appointments', bookingBody(clinic, inHours(nextHour++)));

async function aPatientId() {
  const patientExternalId = uuidv7();
  await made('/v1/appointments', bookingBody(clinic, inHours(nextHour++), { patientExternalId }));
  return patientExternalId;
}

async function aCancelledId() {
  const id = await aBookingId();
  await clinic.client.delete(`/v1/appointments/${id}`);
  return id;
}

/** What the `{id}` of a path names. */
const IDS: Record<string, () => string | Promise<string>> = {
  appointments: aBookingId,
  professionals: () => clinic.ids.professional,
  services: () => clinic.ids.service,
  calls: () => aStartedCall(clinic.client),
  'webhook-endpoints': () => clinic.ids.endpoint,
  'webhook-deliveries': () => clinic.ids.delivery,
  notifications: () => clinic.ids.notification,
  'api-keys': () => made('/v1/api-keys', { name: 'passing', scopes: ['tenant:read'] }),
};

/** Fields of the examples that have to be this clinic's own, or be free. */
const OWN: Record<string, () => unknown> = {
  startsAt: aTime,
  appointmentId: aBookingId,
  externalId: uuidv7,
  patientExternalId: aPatientId,
  config: () => ({ timezone: 'Europe/Lisbon' }),
  publicSlug: () => 'another-slug',
  url: () => `https://receiver.example/${uuidv7()}`,
  eligibleProfessionalIds: () => clinic.professionalIds,
};

/** A valid other value for one field of each body. */
const OTHERS: Record<string, unknown> = {
  patientName: 'Rui Santos',
  name: 'Another name',
  description: 'Another text',
  score: 3,
  answers: { other: 'answers' },
  ttlSeconds: 200,
  overlapSeconds: 60,
  priceEur: '61.00',
  specialHours: { '2026-08-05': [] },
  transcriptionWordCount: 3,
  since: '2026-02-17T00:00:00Z',
  type: 'appointment.cancelled',
  keepSuccessor: true,
  hours: 9,
  patientExternalId: 'another-patient',
  items: 'all but the first',
  events: [aSpeech(7)],
};

interface Sent {
  method: string;
  path: string;
  body?: Record<string, unknown>;
}

async function requestFor(operationId: string, contract: Contract): Promise<Sent> {
  const { method, path, request } = contract;
  const idOf = operationId === 'reinstateAppointment' ? aCancelledId : IDS[path.split('/')[2] ?? ''];
  const address = pathTo(contract, path.includes('{id}') ? String(await idOf?.()) : '');
  if (!request.body) return { method, path: address };
  const body = goodBodyFor(contract, clinic);
  for (const [name, value] of Object.entries(OWN)) if (name in body) body[name] = await value();
  return { method, path: address, body };
}

function withOtherBody(sent: Sent): Sent | null {
  const name = Object.keys(OTHERS).find((field) => sent.body && field in sent.body);
  if (!sent.body) return null;
  if (name === undefined) throw new Error(`no other body for ${sent.path}`);
  const { items } = sent.body;
  const other = Array.isArray(items) ? items.slice(1) : OTHERS[name];
  return { ...sent, body: { ...sent.body, [name]: other } };
}

function send({ method, path, body }: Sent, key?: string): Promise<ApiAnswer> {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  return clinic.client.send(method, path, { headers, ...(body && { body }) });
}

/** Counters of requests, and notes of reads, which are written down of every answer. */
const NOT_OF_THE_CLINIC = /^(request_|clinic_window|clinic_usage|usage_change|patient_read)/;

/** Every row of the database that a request might change. */
async function everythingStored(): Promise<Record<string, string>> {
  const em = api.database.em();
  const tables = await em.execute<{ name: string }[]>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const stored: Record<string, string> = {};
  for (const { name } of tables.filter((table) => !NOT_OF_THE_CLINIC.test(table.name))) {
    const [row] = await em.execute<{ rows: string }[]>(
      `SELECT string_agg(content, E'\\n' ORDER BY content) AS rows
       FROM (SELECT (to_jsonb(each) - 'last_used_at')::text AS content FROM "${name}" AS each) AS contents`,
    );
    stored[name] = row?.rows ?? '';
  }
  return stored;
}

async function expectNothingDone<T>(act: () => Promise<T>): Promise<T> {
  const before = await everythingStored();
  const result = await act();
  expect(await everythingStored()).toEqual(before);
  return result;
}

const expectReused = ({ status, body }: ApiAnswer) =>
  expect([status, body['error']]).toEqual([422, 'idempotency_key_reused']);

const keyed = Object.entries(contracts).filter(
  ([, contract]) => takesIdempotencyKey(contract) && !contract.looksUpKey,
);

/** The clinic's one delivery is still open: `delivery_open`, which is stored too. */
const WITHOUT_SUCCESS = new Set(['resendWebhookDelivery']);

describe.each(keyed)('%s', (operationId, contract) => {
  test('does nothing under a key that another request was answered under', async () => {
    const sent = await requestFor(operationId, contract);
    const key = uuidv7();
    await clinic.client.patch('/v1/tenants/me', {}, { 'idempotency-key': key });
    expectReused(await expectNothingDone(() => send(sent, key)));
  });

  test('is done once: another body is refused, a repeat gets the stored answer whatever has changed since', async () => {
    const sent = await requestFor(operationId, contract);
    const key = uuidv7();
    const first = await send(sent, key);
    if (!WITHOUT_SUCCESS.has(operationId))
      expect([first.status < 300, first.text]).toEqual([true, first.text]);
    const other = withOtherBody(sent);
    if (other) expectReused(await expectNothingDone(() => send(other, key)));
    await send(sent);
    const again = await expectNothingDone(() => send(sent, key));
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

function callTool({ name, ...rest }: Call, key: string, id: number | string = 1) {
  const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name, ...rest } };
  return clinic.client.post('/mcp', message, { 'idempotency-key': key });
}

function toldBy({ body }: ApiAnswer) {
  const { isError = false, structuredContent } = body['result'] as Record<string, unknown>;
  return { isError, told: structuredContent as Record<string, unknown> };
}

/** `now` is fresh in every result, also in a stored one. */
function withoutNow(answer: ApiAnswer) {
  const { isError, told } = toldBy(answer);
  const { now: _, ...stored } = told;
  return { isError, stored };
}
const nowIn = (answer: ApiAnswer) => (toldBy(answer).told['now'] as { at: string }).at;

const aSlot = () => ({
  professionalId: clinic.ids.professional,
  serviceTypeId: clinic.ids.service,
  startsAt: aTime(),
});
const aPatient = { patientName: 'Ana Martins', patientPhone: '+351912345678' };

/** Arguments of every tool that changes something. */
const CALLS: Record<string, () => Promise<Call['arguments']>> = {
  hold_time: async () => aSlot(),
  book: async () => ({ ...aSlot(), ...aPatient }),
  move: async () => ({ id: await aBookingId(), startsAt: aTime() }),
  cancel: async () => ({ id: await aBookingId() }),
};

test('every tool that changes something is tried', () => {
  const writing = RECEPTION_TOOLS.filter(({ isReadOnly }) => !isReadOnly).map(({ name }) => name);
  expect(Object.keys(CALLS).sort()).toEqual(writing.sort());
});

describe.each(Object.entries(CALLS))('the tool %s', (name, givenFor) => {
  test('is done once under a key, whatever the id of the message', async () => {
    const [call, key] = [{ name, arguments: await givenFor() }, uuidv7()];
    const first = await callTool(call, key, 'first');
    expect(toldBy(first).isError).toBe(false);
    await clinic.client.delete(`/v1/appointments/${String(toldBy(first).told['id'])}`);
    const again = await expectNothingDone(() => callTool(call, key, 'again'));
    expect(again.body).toMatchObject({ jsonrpc: '2.0', id: 'again' });
    expect(withoutNow(again)).toEqual(withoutNow(first));
    expect(nowIn(again) > nowIn(first)).toBe(true);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.has('idempotency-replayed')).toBe(false);
  });

  test('does nothing under the key of another call, or of another request', async () => {
    const key = uuidv7();
    await callTool({ name: 'find', arguments: { id: clinic.ids.service } }, key);
    const call = { name, arguments: await givenFor() };
    const ofRoute = uuidv7();
    await clinic.client.patch('/v1/tenants/me', {}, { 'idempotency-key': ofRoute });
    const [first, later] = [uuidv7(), { name, arguments: await givenFor() }];
    await callTool(call, first);
    for (const [used, again] of [
      [key, call],
      [ofRoute, call],
      [first, later],
    ] as const) {
      const refused = toldBy(await expectNothingDone(() => callTool(again, used)));
      expect(refused).toMatchObject({ isError: true, told: { error: 'idempotency_key_reused' } });
    }
  });
});

test('of twenty equal calls at once one books, and all get its result under their own ids', async () => {
  const [call, key] = [{ name: 'book', arguments: { ...aSlot(), ...aPatient } }, uuidv7()];
  const answers = await Promise.all(Array.from({ length: 20 }, (_, id) => callTool(call, key, id)));
  expect(new Set(answers.map((answer) => toldBy(answer).told['id'])).size).toBe(1);
  expect(answers.map(({ body }) => body['id'])).toEqual(answers.map((_, id) => id));
  const replayed = answers.filter(({ headers }) => headers.has('idempotency-replayed'));
  expect(replayed).toHaveLength(19);
});

test('a refusal of a rule is repeated, wrong arguments leave the key free', async () => {
  const [slot, key] = [aSlot(), uuidv7()];
  const wrong = { name: 'book', arguments: { ...slot, ...aPatient, startsAt: 'tomorrow' } };
  expect(toldBy(await callTool(wrong, key)).told['error']).toBe('validation_failed');
  const other = await made('/v1/appointments', { ...slot, ...aPatient, patientName: 'Rui Santos' });
  const call = { name: 'book', arguments: { ...slot, ...aPatient } };
  const first = await callTool(call, key);
  expect(toldBy(first)).toMatchObject({ isError: true, told: { error: 'slot_conflict' } });
  await clinic.client.delete(`/v1/appointments/${other}`);
  expect(withoutNow(await callTool(call, key))).toEqual(withoutNow(first));
});

test('the key is looked up before a tool judges its arguments', async () => {
  const [call, key] = [{ name: 'book', arguments: { ...aSlot(), ...aPatient } }, uuidv7()];
  const first = await callTool({ ...call, arguments: { ...call.arguments, toolCallId: 'a' } }, key);
  const again = await callTool(
    { ...call, arguments: { ...call.arguments, toolCallId: 'b', callId: null } },
    key,
  );
  expect(withoutNow(again)).toEqual(withoutNow(first));
  const wrong = { name: 'book', arguments: { ...call.arguments, startsAt: '2025-12-01T09:30:00Z' } };
  for (const other of [wrong, { name: 'book', arguments: {} }, { name: 'cancel', arguments: { id: 'x' } }]) {
    const refused = toldBy(await expectNothingDone(() => callTool(other, key)));
    expect(refused).toMatchObject({ isError: true, told: { error: 'idempotency_key_reused' } });
  }
});

test('messages that call no tool ignore the key', async () => {
  const key = { 'idempotency-key': uuidv7() };
  for (const method of ['tools/list', 'ping', 'tools/list']) {
    const answer = await clinic.client.post('/mcp', { jsonrpc: '2.0', id: 1, method }, key);
    expect([answer.status, answer.body['error']]).toEqual([200, undefined]);
    expect(answer.headers.has('idempotency-replayed')).toBe(false);
  }
});
