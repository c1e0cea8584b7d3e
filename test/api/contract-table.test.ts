import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { Contract } from '../../api/contract/define-contracts.ts';
import { contracts } from '../../api/resources.ts';
import { wrongPathsIn, type ApiAnswer, type ApiRequest } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { book } from '../support/clinic.ts';
import { goodBodyFor, goodRequestFor, inputSchema, pathTo } from '../support/good-requests.ts';
import { wrongFields, wrongParameters, type WrongField } from '../support/wrong-values.ts';
import { nearestField } from '../../api/contract/known-field.ts';

const api = await suiteApi();
const appointmentId = (await book(api.database, api.clinic)).id;

/** Protocols with their own form of errors are tested with their own clients. */
const isOfApi = ({ access, errorForm }: Contract) => access !== 'public' && !errorForm;
const routes = Object.entries<Contract>(contracts).filter(([, contract]) => isOfApi(contract));
const withBody = routes.filter(([, { request }]) => request.body);
const withQuery = routes.filter(([, { request }]) => request.query);
const withPath = routes.filter(([, { request }]) => request.path);

const goodBody = (contract: Contract) => goodBodyFor(contract, api.clinic);
const goodRequest = (contract: Contract) => goodRequestFor(contract, api.clinic);

function withFault(body: Record<string, unknown>, { path, value }: WrongField): Record<string, unknown> {
  const [name = '', ...rest] = path;
  if (rest.length > 0) {
    const inner = (body[name] ?? {}) as Record<string, unknown>;
    return { ...body, [name]: withFault(inner, { path: rest, value, fault: '' }) };
  }
  return { ...body, [name]: value };
}

function send(contract: Contract, request: ApiRequest, id = appointmentId): Promise<ApiAnswer> {
  return api.client.send(contract.method, pathTo(contract, id), request);
}

/** What the path names, `id` or `externalId`. */
function namedIn({ path }: Contract): string {
  return /\{(\w+)\}/.exec(path)?.[1] ?? '';
}

/** Everything the API may write, as text. */
async function everythingStored(): Promise<string> {
  const { rows } = await sql<{ content: string }>`
    SELECT concat(
      (SELECT json_agg(tenant ORDER BY id) FROM tenant), (SELECT json_agg(appointment ORDER BY id) FROM appointment),
      (SELECT json_agg(appointment_change ORDER BY id) FROM appointment_change),
      (SELECT count(*) FROM webhook_event), (SELECT count(*) FROM outbox)
    ) AS content
  `.execute(api.database.em().getKysely());
  return rows[0]?.content ?? '';
}

/** After the last request. */
let stored = await everythingStored();

async function expectRefusal(request: Promise<ApiAnswer>, path: string): Promise<void> {
  const answer = await request;
  expect({ status: answer.status, error: answer.body['error'] }).toEqual({
    status: 422,
    error: 'validation_failed',
  });
  expect(wrongPathsIn(answer).some((wrong) => wrong === path || wrong.startsWith(`${path}.`))).toBe(true);
}

describe.each(withBody)('a wrong body field of %s is refused by its path', (_id, contract) => {
  const { schema, readAs } = contract.request.body ?? {};
  const body = readAs ?? schema;
  const faults = body
    ? wrongFields(inputSchema(body)).filter(({ fault }) => !readAs || fault !== 'wrong item')
    : [];

  test.each(faults.map((fault) => [fault.path.join('.'), fault.fault, fault] as const))(
    '%s: %s',
    async (path, _fault, fault) => {
      await expectRefusal(
        send(contract, { body: withFault(goodBody(contract), fault) }),
        reportedPath(path, fault),
      );
      const before = stored;
      stored = await everythingStored();
      expect(stored).toBe(before);
    },
  );

  test.each([
    ['a list', []],
    ['a text', 'x'],
    ['a number', 1],
    ['null', null],
  ])('%s in place of the object', async (_kind, value) => {
    await expectRefusal(send(contract, { rawBody: JSON.stringify(value) }), 'body');
  });

  test('all problems at once', async () => {
    const unheardOf = { first: 1, second: 2 };
    const answer = await send(contract, { body: { ...goodBody(contract), ...unheardOf } });
    expect(wrongPathsIn(answer)).toEqual(['body.first', 'body.second']);
  });
});

/** Nesting without end is a fault of the whole body. */
function reportedPath(path: string, { fault }: WrongField): string {
  return fault === 'bottomless' ? 'body' : `body.${path}`;
}

describe.each(withQuery)('a wrong query parameter of %s is refused by its path', (_id, contract) => {
  const query = contract.request.query;
  const faults = query ? wrongParameters(inputSchema(query)) : [];

  test.each(faults.map((fault) => [fault.path.join('.'), fault.fault, fault] as const))(
    '%s: %s',
    async (name, _fault, { value }) => {
      const request = goodRequest(contract);
      const query = { ...request.query, [name]: String(value) };
      await expectRefusal(send(contract, { ...request, query }), `query.${name}`);
    },
  );

  test('a parameter given twice', async () => {
    const [name = ''] = Object.keys(query?.shape ?? {});
    const path = pathTo(contract, appointmentId);
    const { query: good = {}, ...request } = goodRequest(contract);
    const others = Object.entries(good).filter(([other]) => other !== name);
    const twice = new URLSearchParams([...others, [name, '1'], [name, '2']]).toString();
    const answer = await api.client.send(contract.method, `${path}?${twice}`, request);
    expect([answer.status, answer.body['errors']]).toEqual([
      422,
      [{ path: `query.${name}`, message: 'must be given only once' }],
    ]);
  });
});

const MALFORMED: Record<string, string[]> = {
  id: ['1', 'zzzzzzzz-0000-0000-0000-000000000000', '%', '\0', "'; DROP TABLE appointment; --"],
  externalId: ['x'.repeat(129), '\0'],
};

describe.each(withPath)('%s', (_id, contract) => {
  const name = namedIn(contract);

  test.each(MALFORMED[name] ?? [])('refuses the malformed id %j', async (id) => {
    await expectRefusal(send(contract, goodRequest(contract), id), `path.${name}`);
  });
});

describe.each(routes)('%s', (_id, contract) => {
  test('refuses a query parameter no one knows', async () => {
    const { query, ...request } = goodRequest(contract);
    const answer = send(contract, { ...request, query: { ...query, unheardOf: '1' } });
    await expectRefusal(answer, 'query.unheardOf');
  });
});

/** A PUT makes the resource under the id it is given. */
const finding = withPath.filter(([id, { method }]) => method !== 'PUT' || id === 'uploadCallRecording');

describe.each(finding)('%s', (_id, contract) => {
  test.each(['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])(
    'does not find the unknown id %s',
    async (id) => {
      const answer = await send(contract, goodRequest(contract), id);
      expect([answer.status, answer.body['error']]).toEqual([404, 'not_found']);
    },
  );
});

test('every operation has an example for its body and its success', () => {
  for (const [id, { request, responses }] of Object.entries<Contract>(contracts)) {
    const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
    const examples = Object.values(request.body?.examples ?? {});
    for (const example of examples)
      expect([id, request.body?.schema.safeParse(example).error]).toEqual([id, undefined]);
    if (request.body) expect(examples.length).toBeGreaterThan(0);
    if (success?.schema)
      expect([id, success.schema.safeParse(success.example).error]).toEqual([id, undefined]);
  }
});

test.each(withBody)('%s names the field that a misspelt one is near to', async (_name, contract) => {
  const good = goodBodyFor(contract, api.clinic);
  const fields = Object.keys(contract.request.body?.schema.shape ?? {});
  const [field = ''] = fields.toSorted((one, other) => other.length - one.length);
  const misspelt = `${field.slice(0, -1)}q`;
  const answer = await api.client.send(contract.method, pathTo(contract, api.clinic.serviceTypeId), {
    body: { ...good, [misspelt]: 1 },
  });
  expect([answer.status, answer.body['error']]).toEqual([422, 'validation_failed']);
  expect(answer.body['errors']).toContainEqual({
    path: `body.${misspelt}`,
    message: `is unknown. Did you mean \`${field}\`?`,
  });
});

test('the message of an unknown field is a sentence with the nearest one, and says how many problems more there are', async () => {
  const send = async (body: Record<string, unknown>) =>
    (
      await api.client.send('POST', '/v1/services', {
        body: { name: 'Check-up', durationMinutes: 30, ...body },
      })
    ).body;
  expect(await send({ priceCents: 5000 })).toMatchObject({
    message: 'Unknown field `priceCents`. Did you mean `priceEur`?',
  });
  expect(await send({ priceCents: 5000, zzz: 1 })).toMatchObject({
    message: 'Unknown field `priceCents`. Did you mean `priceEur`? One more problem is in `errors`.',
  });
  const answer = await api.client.send('GET', '/v1/appointments?statuss=confirmed');
  expect(answer.body['message']).toBe('Unknown parameter `statuss`. Did you mean `status`?');
});

test.each([
  ['phone', 'patientPhone'],
  ['starts_at', 'startsAt'],
  ['STARTSAT', 'startsAt'],
  ['serviceId', 'serviceTypeId'],
  ['colour', null],
  ['n', null],
  ['patientPhone'.repeat(20), null],
])('%s is near to %s', (unknown, nearest) => {
  expect(nearestField(unknown, ['startsAt', 'patientName', 'patientPhone', 'serviceTypeId', 'endsAt'])).toBe(
    nearest,
  );
});
