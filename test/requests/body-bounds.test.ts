import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { appointmentContracts } from '../../api/appointments/contract.ts';
import type { Contract } from '../../api/contract/define-contracts.ts';
import { checkLimits } from '../../api/contract/value-limits.ts';
import { contracts } from '../../api/resources.ts';
import { fieldsWhere, goodBodyFor, inputSchema, pathTo, withValue } from '../support/good-requests.ts';
import type { FieldSchema } from '../support/wrong-values.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { wrongPathsIn, type ApiAnswer } from '../support/api-client.ts';
import { aStartedCall } from '../calls/call-builders.ts';

const api = await suiteApi();

const fields = (count: number, name = 'field') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, at]));

let days = 0;

/** Each on a day of its own. */
function book(changes: object): Promise<ApiAnswer> {
  const startsAt = new Date(Date.UTC(2031, 0, ++days, 10)).toISOString();
  const { externalId: _id, ...booking } = goodBodyFor(appointmentContracts.bookAppointment, api.clinic);
  return api.client.post('/v1/appointments', { ...booking, startsAt, ...changes });
}

function sendAsText(metadata: string): Promise<ApiAnswer> {
  const { externalId: _id, ...booking } = goodBodyFor(appointmentContracts.bookAppointment, api.clinic);
  const body = { ...booking, startsAt: new Date(Date.UTC(2031, 0, ++days, 10)).toISOString(), metadata: {} };
  return api.client.send('POST', '/v1/appointments', {
    rawBody: JSON.stringify(body).replace('"metadata":{}', `"metadata":${metadata}`),
  });
}

const refusedAt = (answer: ApiAnswer) => [answer.status, wrongPathsIn(answer)];

describe('a free-form value', () => {
  test('may have 1,000 fields, inner ones counted, and no more', async () => {
    const fitting = { ...fields(499), inner: fields(500) };
    expect((await book({ metadata: fitting })).status).toBe(201);
    expect(refusedAt(await book({ metadata: { ...fitting, more: 1 } }))).toEqual([422, ['body.metadata']]);
    const inLists = { list: [fields(500), fields(500, 'other')] };
    expect(refusedAt(await book({ metadata: inLists }))).toEqual([422, ['body.metadata']]);
  });

  test('may have lists of 10,000 items, and no longer ones', async () => {
    const list = Array.from({ length: 8_000 }, () => 1);
    expect((await book({ metadata: { list } })).status).toBe(201);
    const longer = [...list, ...list];
    expect(refusedAt(await book({ metadata: { longer } }))).toEqual([422, ['body.metadata.longer']]);
  });

  test.each(['9007199254740992', '-9007199254740992', '12345678901234567890', '9'.repeat(400)])(
    'refuses %s, which would be rounded',
    async (number) => {
      const answer = await sendAsText(`{"ids":[1,${number}]}`);
      expect(refusedAt(answer)).toEqual([422, ['body.metadata.ids.1']]);
      expect(answer.text).toContain('send it as text');
    },
  );

  test.each([
    '{"id":9007199254740991,"text":"12345678901234567890"}',
    '{"text":"\\",12345678901234567890,","number":1.5e300}',
    '{"fraction":0.12345678901234567890}',
  ])('takes %s', async (metadata) => {
    const answer = await sendAsText(metadata);
    expect([answer.status, answer.body['metadata']]).toEqual([201, JSON.parse(metadata)]);
  });
});

test('each item of a list may have 1,000 fields', async () => {
  const id = await aStartedCall(api.client);
  const event = (sequence: number, toolInput: object) => ({
    sequence,
    eventType: 'tool_call',
    occurredAt: '2026-03-02T09:00:00Z',
    toolName: 'search',
    toolInput,
  });
  const send = (...events: object[]) => api.client.post(`/v1/calls/${id}/events`, { events });
  expect((await send(event(0, fields(900)), event(1, fields(900)))).status).toBe(201);
  const answer = await send(event(2, fields(10)), event(3, fields(1_000)));
  expect(refusedAt(answer)).toEqual([422, ['body.events.1']]);
});

test('a body and a query may have 1,000 fields of their own', async () => {
  expect(refusedAt(await book(fields(1_001)))).toEqual([422, ['body']]);
  const query = new URLSearchParams(
    Object.keys(fields(1_001, '')).map((name): [string, string] => [name, '']),
  );
  const answer = await api.client.send('GET', `/v1/appointments?${query.toString()}`);
  expect(refusedAt(answer)).toEqual([422, ['query']]);
});

test('an answer names the first 100 problems', async () => {
  const answer = await book(fields(500));
  expect(answer.status).toBe(422);
  expect(wrongPathsIn(answer)).toHaveLength(100);
  expect(answer.body['message']).toContain('At least 99 more problems');
});

test('the answer to an import names the first 100 problems of all its items, and of each what became of it', async () => {
  const items = Array.from({ length: 500 }, () => fields(60));
  const answer = await api.client.post('/v1/appointments/import', { items });
  const answered = answer.body['items'] as { error?: string; errors?: unknown[] }[];
  expect(answered.map(({ error }) => error)).toEqual(items.map(() => 'validation_failed'));
  expect(answered.flatMap(({ errors = [] }) => errors)).toHaveLength(100);
});

test('an item of an import with too much in it is refused, and the others are taken', async () => {
  const item = (externalId: string, startsAt: string, metadata: object) => ({
    externalId,
    professionalId: api.clinic.professionalIds[0],
    serviceTypeId: api.clinic.serviceTypeId,
    startsAt,
    patientName: 'Ana Martins',
    patientPhone: '+351912345678',
    status: 'attended',
    metadata,
  });
  let deep: unknown = 1;
  for (let level = 0; level < 40; level++) deep = { deep };
  const items = [
    item('full', '2025-01-10T10:00:00Z', fields(1_000)),
    item('deep', '2025-01-11T10:00:00Z', { deep }),
    item('good', '2025-01-12T10:00:00Z', fields(900)),
  ];
  const answer = await api.client.post('/v1/appointments/import', { items });
  expect(answer.body['items']).toMatchObject([
    { externalId: 'full', result: 'refused', errors: [{ path: 'body.items.0' }] },
    { externalId: 'deep', result: 'refused', errors: [{ path: 'body.items.1' }] },
    { externalId: 'good', result: 'created' },
  ]);
});

test.each(['utf8', 'UTF-8', '"utf-8"'])('charset=%s is UTF-8', async (charset) => {
  const contentType = `application/json; charset=${charset}`;
  const answer = await api.client.send('POST', '/v1/availability/search', {
    rawBody: '{}',
    headers: { 'content-type': contentType },
  });
  expect(answer.status).toBe(422);
});

test('a walk through a value ends at its bound', () => {
  let read = 0;
  const member = () => ({ enumerable: true, get: () => (read += 1) });
  const names = Array.from({ length: 100_000 }, (_, at) => `field${at}`);
  const value = Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, member()])));
  expect(checkLimits({ metadata: value }, 'body', 'parts')).toMatchObject({
    isHopeless: true,
    problems: [{ path: 'body.metadata' }],
  });
  expect(read).toBe(1_000);
});

const freeForm = Object.entries<Contract>(contracts).flatMap(([id, contract]) => {
  const { body } = contract.request;
  if (!body) return [];
  const paths = fieldsWhere(inputSchema(body.schema), isFreeForm);
  return paths
    .filter(([first]) => first !== undefined)
    .map((path) => [id, path.join('.'), contract] as const);
});

function isFreeForm({ type, properties, additionalProperties }: FieldSchema): boolean {
  const takesAnything = Object.keys(Object(additionalProperties ?? {})).length === 0;
  return (
    [type].flat().includes('object') &&
    additionalProperties !== false &&
    takesAnything &&
    (!properties || additionalProperties !== undefined)
  );
}

test.each(freeForm)(
  '%s: a whole number in %s that would be rounded is refused',
  async (_id, name, contract) => {
    const place = '§';
    const good = goodBodyFor(contract, api.clinic);
    const rawBody = JSON.stringify(withValue(good, [...name.split('.'), 'id'], place));
    const answer = await api.client.send(contract.method, pathTo(contract, randomUUID()), {
      rawBody: rawBody.replace(`"${place}"`, '9007199254740993'),
    });
    // An import says of each item what became of it.
    const [item] = (answer.body['items'] ?? []) as { errors?: unknown }[];
    // An error of JSON-RPC has them in its data.
    const { data } = Object(answer.body['error'] ?? {}) as { data?: { errors: unknown } };
    expect(answer.body['errors'] ?? item?.errors ?? data?.errors).toContainEqual({
      path: `body.${name}.id`,
      message: expect.stringContaining('send it as text'),
    });
  },
);

test('metadata, settings, answers and what tools say are free-form', () => {
  const names = freeForm.map(([, name]) => name.split('.').at(-1));
  expect(names).toEqual(expect.arrayContaining(['metadata', 'config', 'answers', 'toolInput', 'toolOutput']));
});
