import { describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { uuidv7 } from 'uuidv7';
import type { Scope } from '../../domain/clinic/api-scopes.ts';
import { aStartedCall } from '../calls/call-builders.ts';
import { aClinic, anEndpoint } from '../support/clinic.ts';
import { createApiClient } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { forSuite } from '../support/for-suite.ts';

const api = await suiteApi();
const agent = await forSuite(anAgent());
/** The same key and library, in each revision's own way. */
const agents = [
  ['2025-11-25', agent],
  ['2026-07-28', await forSuite(anAgent(undefined, '2026-07-28'))],
] as const;

/** Speaks the protocol by its own library, with a key of these scopes; every one by default. */
async function anAgent(scopes?: readonly Scope[], pin?: string): Promise<Client> {
  const key = await api.keyOf(scopes && { scopes });
  const negotiation = pin === undefined ? {} : { versionNegotiation: { mode: { pin } } };
  const client = new Client({ name: 'test-agent', version: '1.0.0' }, negotiation);
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), { requestInit: { headers } }),
  );
  return client;
}

/** What the tests look at in what a tool says. */
interface Said {
  id: string;
  items: Record<string, string>[];
  replacement: { id: string };
  alternatives: unknown[];
  next: string;
  errors: { path: string }[];
  [member: string]: unknown;
}

async function use(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { isError = false, structuredContent } = await client.callTool({ name, arguments: given });
  return { isError, said: structuredContent as Said };
}

async function toolsOf(client: Client): Promise<string[]> {
  const { tools } = await client.listTools();
  return tools.map(({ name }) => name).sort();
}

let people = 0;
let nextHour = 0;
function aTime(): string {
  nextHour += 1;
  return new Date(Date.now() + 7 * 86_400_000 + nextHour * 3_600_000).toISOString();
}

function aBooking() {
  const { professionalIds, serviceTypeId } = api.clinic;
  const [professionalId] = professionalIds;
  const patient = { patientName: 'Maria Santos', patientPhone: '+351912345678' };
  return { professionalId, serviceTypeId, ...patient, startsAt: aTime() };
}

describe.each(agents)('a conversation at the reception in revision %s', (_revision, agent) => {
  test('the agent learns what there is, books, finds, moves and cancels', async () => {
    const services = await use(agent, 'list_services');
    expect(services.said.items).toMatchObject([{ id: api.clinic.serviceTypeId, durationMinutes: 30 }]);

    const times = await use(agent, 'find_times', { serviceTypeId: api.clinic.serviceTypeId, locale: 'en' });
    expect(times.said.items).toHaveLength(3);
    expect(times.said.items[0]).toMatchObject({ spoken: expect.stringMatching(/day, .* at .*M$/) });

    const patientPhone = `+35191300000${(people += 1)}`;
    const booked = await use(agent, 'book', { ...aBooking(), patientPhone });
    expect(booked).toMatchObject({ isError: false, said: { status: 'confirmed', source: 'voice_ai' } });

    const found = await use(agent, 'find_appointments', { patientPhone, status: 'confirmed' });
    expect(found.said.items).toMatchObject([{ id: booked.said.id, spoken: expect.stringMatching(/ às /) }]);

    const moved = await use(agent, 'move', { id: booked.said.id, startsAt: aTime() });
    expect(moved.said).toMatchObject({ status: 'rescheduled', replacement: { status: 'confirmed' } });

    const cancelled = await use(agent, 'cancel', { id: moved.said.replacement.id });
    expect(cancelled.said).toMatchObject({ status: 'cancelled', cancellationReason: 'patient_requested' });
  });

  test('a time is held while the caller decides, booked by its hold, and free again when the call ends', async () => {
    const { professionalId, serviceTypeId, startsAt, ...patient } = aBooking();
    const callId = await aStartedCall(api.client);
    const slot = { professionalId, serviceTypeId, startsAt };
    const held = await use(agent, 'hold_time', { ...slot, callId });
    const other = await use(agent, 'book', { ...slot, ...patient });
    expect(other.said).toMatchObject({ error: 'slot_conflict' });
    const booked = await use(agent, 'book', { ...slot, ...patient, callId, holdId: held.said.id });
    expect(booked.said).toMatchObject({ status: 'confirmed', callId });

    const later = { ...slot, startsAt: aTime() };
    const second = await use(agent, 'hold_time', { ...later, callId });
    const moved = { id: booked.said.id, startsAt: later.startsAt, holdId: second.said.id };
    expect((await use(agent, 'move', moved)).said).toMatchObject({ status: 'rescheduled' });

    const last = { ...slot, startsAt: aTime() };
    await use(agent, 'hold_time', { ...last, callId });
    const end = { endedAt: new Date().toISOString(), outcome: 'booking_created' };
    await api.client.post(`/v1/calls/${callId}/complete`, end);
    expect((await use(agent, 'book', { ...last, ...patient })).isError).toBe(false);
  });

  test('an agent that repeats each call up to three times books each patient once', async () => {
    const repeated = async (name: string, given: Record<string, unknown>) => {
      const times = 1 + Math.floor(Math.random() * 3);
      const answers = await Promise.all(Array.from({ length: times }, () => use(agent, name, given)));
      return answers.find(({ isError }) => !isError)?.said ?? answers[0]?.said;
    };
    const bookings = Array.from({ length: 8 }, (_, at) => ({ ...aBooking(), patientName: `Patient ${at}` }));
    const patientPhone = `+35193333333${(people += 1)}`;
    await Promise.all(
      bookings.map(async ({ professionalId, serviceTypeId, startsAt, patientName }) => {
        const callId = await aStartedCall(api.client);
        const slot = { professionalId, serviceTypeId, startsAt, callId };
        const held = await repeated('hold_time', slot);
        await repeated('book', { ...slot, patientName, patientPhone, holdId: held?.id });
      }),
    );
    const { said } = await use(agent, 'find_appointments', { patientPhone });
    const names = said.items.map((item) => String(item['patientName'])).toSorted();
    expect(names).toEqual(bookings.map(({ patientName }) => patientName));
  });

  test('a briefing says what the route says, and nothing of another clinic’s call', async () => {
    const patientPhone = `+35194444444${(people += 1)}`;
    const { said } = await use(agent, 'book', { ...aBooking(), patientPhone });
    const id = await aStartedCall(api.client, { fromNumber: patientPhone });
    const briefing = await use(agent, 'briefing', { id });
    const { body } = await api.client.get(`/v1/calls/${id}/briefing`);
    const { now: _now, ...rest } = body;
    expect(briefing).toMatchObject({ isError: false, said: { ...rest, appointments: [{ id: said.id }] } });

    const { tenantId } = await aClinic(api.database);
    const stranger = createApiClient(api.url, await api.keyOf({ tenantId }));
    const foreign = await use(agent, 'briefing', { id: await aStartedCall(stranger) });
    expect(foreign).toMatchObject({ isError: true, said: { error: 'not_found' } });
  });

  test('a refusal says what to do next', async () => {
    const booking = aBooking();
    await use(agent, 'book', booking);
    const second = await use(agent, 'book', {
      ...booking,
      patientName: 'Rui',
      patientPhone: '+351911111111',
    });
    expect(second).toMatchObject({ isError: true, said: { error: 'slot_conflict' } });
    expect(second.said.alternatives).toHaveLength(3);
    expect(second.said.next).toMatch(/offer the alternatives/);
  });

  test('arguments that do not fit are refused by name, all at once', async () => {
    const wrong = await use(agent, 'book', { ...aBooking(), startsAt: 'tomorrow', patientPhone: '912' });
    const paths = wrong.said.errors.map(({ path }) => path).sort();
    expect(paths).toEqual(['patientPhone', 'startsAt']);
    expect(wrong.said.next).toMatch(/Ask the patient for their phone number.*Ask for a day and time/);
  });

  test('a move without a time names what is missing, which the tool says it needs', async () => {
    const { id } = (await use(agent, 'book', aBooking())).said;
    const moved = await use(agent, 'move', { id, professionalId: api.clinic.professionalIds[0] });
    expect(moved).toMatchObject({ isError: true, said: { errors: [{ path: 'startsAt' }] } });
    const { tools } = await agent.listTools();
    expect(tools.find(({ name }) => name === 'move')?.inputSchema.required).toEqual(['id', 'startsAt']);
  });
});

describe('support', () => {
  test('any id of the clinic is recognised, and leads on to its history and its deliveries', async () => {
    const endpointId = await anEndpoint(api.database, api.clinic.tenantId);
    const { said: booked } = await use(agent, 'book', aBooking());
    const found = await use(agent, 'find', { id: booked.id });
    expect(found.said).toMatchObject({
      kind: 'appointment',
      id: booked.id,
      next: 'appointment_history',
    });

    const history = await use(agent, 'appointment_history', { id: booked.id });
    const delivery = history.said.items.find(({ kind }) => kind === 'delivery');
    expect(delivery).toMatchObject({ endpointId, deliveryStatus: 'pending' });

    const explained = await use(agent, 'explain_delivery', { id: delivery?.['deliveryId'] });
    expect(explained.said).toMatchObject({
      situation: 'no worker has claimed it from the outbox',
      status: 'pending',
      attempts: [],
    });
  });

  test('another clinic’s ids are as unknown as those that no one has', async () => {
    const other = await aClinic(api.database);
    for (const id of [other.tenantId, other.serviceTypeId, uuidv7(), 'nonsense']) {
      const found = await use(agent, 'find', { id });
      expect(found).toMatchObject({ isError: true, said: { error: 'not_found' } });
    }
  });
});

describe('keys', () => {
  test('an agent sees and uses only what its key’s scopes allow', async () => {
    const reader = await anAgent(['appointments:read']);
    expect(await toolsOf(reader)).toEqual(['appointment_history', 'find', 'find_appointments', 'find_times']);
    const refused = await use(reader, 'book', aBooking());
    expect(refused).toMatchObject({
      isError: true,
      said: { error: 'insufficient_scope', requiredScopes: ['appointments:write'] },
    });
    expect(await use(reader, 'find', { id: api.clinic.serviceTypeId })).toMatchObject({
      said: { error: 'not_found' },
    });
    await reader.close();
  });

  test('a key for something else sees what any key may: to ask what an id is', async () => {
    const other = await anAgent(['tenant:read']);
    expect(await toolsOf(other)).toEqual(['find']);
    await other.close();
  });

  test('a key that may not set a source books by hand', async () => {
    const plain = await anAgent(['appointments:write', 'appointments:read']);
    expect(await use(plain, 'book', aBooking())).toMatchObject({ said: { source: 'manual' } });
    await plain.close();
  });

  test('without a key there is no conversation', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const answered = await createApiClient(api.url, null).post('/mcp', message);
    expect(answered).toMatchObject({ status: 401, body: { error: 'missing_api_key' } });
  });
});

describe('the protocol', () => {
  test('there is no session to open, to listen to or to end', async () => {
    for (const method of ['GET', 'DELETE'])
      expect(await api.client.send(method, '/mcp')).toMatchObject({
        status: 405,
        body: { error: 'method_not_allowed' },
      });
  });

  test('versions that no one speaks are refused in words', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const old = await api.client.post('/mcp', message, { 'mcp-protocol-version': '1999-01-01' });
    expect(old).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/1999-01-01/) } },
    });
  });

  test('a notification is taken without a word, an unknown method or tool named by the protocol’s own error', async () => {
    const note = await api.client.post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(note.status).toBe(202);
    const unknown = await api.client.post('/mcp', { jsonrpc: '2.0', id: 7, method: 'tools/burn' });
    expect(unknown.body).toMatchObject({ id: 7, error: { code: -32601 } });
    const call = { jsonrpc: '2.0', id: 8, method: 'tools/call', params: { name: 'burn' } };
    expect((await api.client.post('/mcp', call)).body).toMatchObject({ id: 8, error: { code: -32602 } });
  });

  test('the answer is JSON whatever is accepted, in every version that is spoken', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    for (const version of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      const headers = { accept: 'text/event-stream', 'mcp-protocol-version': version };
      const answered = await api.client.post('/mcp', message, headers);
      expect(answered).toMatchObject({ status: 200, body: { id: 1, result: { tools: expect.anything() } } });
    }
  });

  test('in revision 2026-07-28 each message stands alone, and names its method and tool in headers too', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const ask = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
      api.client.post(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...headers },
      );
    const discovered = await ask('server/discover');
    expect(discovered).toMatchObject({
      status: 200,
      body: {
        result: {
          supportedVersions: ['2026-07-28'],
          instructions: expect.stringMatching(/It is now \d{4}-/),
        },
      },
    });
    const listed = await ask('tools/list');
    expect(listed.body['result']).toMatchObject({ cacheScope: 'private', tools: expect.anything() });
    const given = { name: 'list_services', arguments: { limit: '1', cursor: null } };
    const called = await ask('tools/call', given, { 'mcp-name': 'list_services' });
    expect(called.body['result']).toMatchObject({ structuredContent: { now: expect.anything() } });
    for (const [status, code, refused] of [
      [404, -32601, await ask('tools/burn')],
      [200, -32603, await ask('subscriptions/listen', { notifications: {} })],
      [400, -32020, await ask('tools/call', given, { 'mcp-name': 'cancel' })],
      [400, -32020, await ask('tools/list', {}, { 'mcp-method': 'tools/call' })],
      [400, -32020, await ask('tools/list', {}, { 'mcp-protocol-version': '2027-01-01' })],
    ] as const)
      expect([refused.status, refused.body]).toMatchObject([status, { error: { code } }]);
  });

  test('a message of more than 256 KiB is refused', async () => {
    const params = { name: 'find', arguments: { id: 'x'.repeat(256 * 1024) } };
    const large = await api.client.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(large).toMatchObject({ status: 413, body: { error: { code: -32600 } } });
  });

  test('every tool describes itself and each of its arguments', async () => {
    const { tools } = await agent.listTools();
    for (const { description, inputSchema } of tools) {
      expect(description?.length).toBeGreaterThan(40);
      for (const property of Object.values(inputSchema.properties ?? {}))
        expect(property).toHaveProperty('description');
    }
  });
});
