import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { startRequestRecorder } from '../../api/request-log/request-recorder.ts';
import { insertRequests, purgeRequestLog, type RequestToLog } from '../../db/requests/request-log.ts';
import { firstIdAt } from '../../domain/first-id.ts';
import { createApiClient, type ApiClient } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { testLogger } from '../support/test-logger.ts';
import { until } from '../support/until.ts';
import { openDatabaseAt } from '../support/database.ts';

const PATH = '/v1/requests';
const DAY_MS = 86_400_000;

const api = await suiteApi();

interface Logged {
  requestId: string;
  at: string;
  method: string;
  route: string;
  status: number;
  error: string | null;
  fields: string[];
  wrongFields: string[];
}

async function aClient(): Promise<ApiClient> {
  return createApiClient(api.url, await api.keyOf());
}

async function logOf(client: ApiClient, query: Record<string, string> = {}): Promise<Logged[]> {
  return (await client.get(PATH, query)).body['items'] as Logged[];
}

/** What a client has asked but for its questions what it has asked, once so many are there. */
async function untilLogged(client: ApiClient, count: number): Promise<Logged[]> {
  let logged: Logged[] = [];
  await until(`${count} requests in the log`, async () => {
    logged = (await logOf(client)).filter(({ route }) => route !== PATH);
    return logged.length >= count;
  });
  return logged;
}

/** A request of a key and a clinic that no one has. */
function aRequest(changes: Partial<RequestToLog> = {}): RequestToLog {
  const answered = {
    method: 'GET',
    route: '/v1/services',
    status: 200,
    error: null,
    durationMs: 3,
    fields: [],
    wrongFields: [],
  };
  return { id: uuidv7(), tenantId: uuidv7(), keyId: uuidv7(), ...answered, ...changes };
}

async function countOf({ keyId }: { keyId: string }): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM request_log WHERE key_id = ${keyId}
  `.execute(api.database.em().getKysely());
  return rows[0]?.count ?? 0;
}

test('a key sees what it has asked, and how it was refused, without ids and parameters', async () => {
  const client = await aClient();
  const id = uuidv7();
  const answers = [
    await client.get('/v1/services'),
    await client.get(`/v1/appointments/${id}`),
    await client.get('/v1/calls', { limit: '0' }),
    await client.send('PATCH', '/v1/tenants/me', { rawBody: '{' }),
  ];
  const logged = await untilLogged(client, answers.length);
  expect(logged.toReversed()).toMatchObject([
    { method: 'GET', route: '/v1/services', status: 200, error: null },
    { method: 'GET', route: '/v1/appointments/{id}', status: 404, error: 'not_found' },
    { method: 'GET', route: '/v1/calls', status: 422, error: 'validation_failed' },
    { method: 'PATCH', route: '/v1/tenants/me', status: 400, error: 'malformed_json' },
  ]);
  expect(logged.map(({ requestId }) => requestId).toReversed()).toEqual(
    answers.map(({ headers }) => headers.get('x-request-id')),
  );
  expect(JSON.stringify(logged)).not.toContain(id);
});

test('a key sees which fields it sent, and which were wrong, by names that the API has and never by value', async () => {
  const client = await aClient();
  const patient = { patientName: 'Zulmira Secreta', patientPhone: '+351912000111', 'Zulmira 1912': true };
  const answers = [
    await client.send('POST', '/v1/appointments', { body: { ...patient, startsAt: 'soon' } }),
    await client.send('PATCH', `/v1/appointments/${uuidv7()}`, { body: { patientNotes: 'Zulmira limps' } }),
    await client.get('/v1/calls', { limit: '0', Zulmira: '1' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([422, 404, 422]);
  const logged = await untilLogged(client, answers.length);
  const [booked, changed, listed] = logged.toReversed();
  expect(booked?.fields.toSorted()).toEqual(['patientName', 'patientPhone', 'startsAt']);
  expect(booked?.wrongFields).toEqual(
    expect.arrayContaining(['body.startsAt', 'body.?', 'body.professionalId']),
  );
  expect(changed).toMatchObject({ fields: ['patientNotes'], wrongFields: [] });
  expect(listed?.wrongFields.toSorted()).toEqual(['query.?', 'query.limit']);
  const { rows } = await sql`SELECT * FROM request_log`.execute(api.database.em().getKysely());
  expect(JSON.stringify(rows)).not.toMatch(/Zulmira|912000111|soon/);
});

test('a key that may do nothing sees why, and no key sees another’s requests', async () => {
  const [mighty, powerless] = [await aClient(), createApiClient(api.url, await api.keyOf({ scopes: [] }))];
  await mighty.get('/v1/services');
  await powerless.get('/v1/calls');
  expect(await untilLogged(powerless, 1)).toMatchObject([
    { route: '/v1/calls', status: 403, error: 'insufficient_scope' },
  ]);
  expect((await untilLogged(mighty, 1)).map(({ route }) => route)).toEqual(['/v1/services']);
});

test('the log is cut to a time or an error, and comes in pages, latest first', async () => {
  const client = await aClient();
  for (const path of ['/v1/services', `/v1/calls/${uuidv7()}`, '/v1/professionals']) await client.get(path);
  const [latest, middle, first] = await untilLogged(client, 3);
  if (!latest || !middle || !first) throw new Error('requests are missing');
  expect(await logOf(client, { error: 'not_found' })).toEqual([middle]);
  expect(await logOf(client, { error: 'slot_conflict' })).toEqual([]);
  const range = { since: middle.at, until: latest.at };
  const within = [middle, first].filter(({ at }) => at >= range.since && at < range.until);
  expect(await logOf(client, range)).toEqual(within);
  const until = new Date(Date.parse(latest.at) + 1).toISOString();
  const page = await client.get(PATH, { until, limit: '2' });
  const rest = await client.get(PATH, { until, limit: '2', cursor: String(page.body['nextCursor']) });
  expect([page, rest].flatMap(({ body }) => body['items'])).toEqual([latest, middle, first]);
  expect([page.body['hasMore'], rest.body['hasMore']]).toEqual([true, false]);
});

test('a request is kept for a week', async () => {
  const { tenantId } = api.clinic;
  const at = (ms: number) => firstIdAt(new Date(Date.now() - ms));
  const old = aRequest({ tenantId, id: at(7 * DAY_MS + 60_000) });
  const kept = { ...old, id: at(7 * DAY_MS - 60_000) };
  await insertRequests(api.database.em(), [old, kept]);
  expect(await purgeRequestLog(api.database.em(), new Date(), 10)).toBe(1);
  expect(await countOf(old)).toBe(1);
});

test('what finds no room in memory is lost and counted; the rest is written down before the process ends', async () => {
  const { keyId, ...rest } = aRequest();
  let lost = 0;
  const recorder = startRequestRecorder({
    database: api.database,
    logger: testLogger(),
    onLost: (requests) => (lost += requests),
  });
  for (let i = 0; i < 10_002; i += 1) recorder.add({ ...rest, keyId, id: uuidv7() });
  expect(lost).toBe(2);
  await recorder[Symbol.asyncDispose]();
  expect(await countOf({ keyId })).toBe(10_000);
});

test('of a key that hammers over its limit a few refusals a second are written down', async () => {
  const refused = aRequest({ status: 429, error: 'rate_limited' });
  const recorder = startRequestRecorder({
    database: api.database,
    logger: testLogger(),
    onLost: () => undefined,
  });
  for (let i = 0; i < 100; i += 1) recorder.add({ ...refused, id: uuidv7() });
  await recorder[Symbol.asyncDispose]();
  expect(await countOf(refused)).toBe(10);
});

test('a database that is away makes requests lost, and nothing else', async () => {
  const away = await openDatabaseAt('postgresql://nobody@127.0.0.1:1/none', { applicationName: 'away' });
  let lost = 0;
  const onLost = (requests: number) => (lost += requests);
  const recorder = startRequestRecorder({ database: away, logger: testLogger(), onLost });
  recorder.add(aRequest());
  await recorder[Symbol.asyncDispose]();
  expect(lost).toBe(1);
  await away[Symbol.asyncDispose]();
});
