import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { createPhoneHash } from '../../adapters/phones/phone-hash.ts';
import type { Contract } from '../../api/contract/define-contracts.ts';
import { RECEPTION_TOOLS } from '../../api/mcp/reception-tools.ts';
import { SUPPORT_TOOLS } from '../../api/mcp/support-tools.ts';
import { contracts } from '../../api/resources.ts';
import type { Reading } from '../../commands/patient-reads/read-recorder.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { SCOPES, type Scope } from '../../domain/clinic/api-scopes.ts';
import { aSpeech, aStartedCall } from '../calls/call-builders.ts';
import { createApiClient, type ApiAnswer, type ApiClient, type ApiRequest } from '../support/api-client.ts';
import { anEndpoint, book, change, inHours } from '../support/clinic.ts';
import { goodRequestFor, pathTo } from '../support/good-requests.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { attempted } from '../webhooks/recorded-attempts.ts';

const PHONE = '+351961112223';
/** What is stored of the patient, and no request says. */
const SECRETS = [
  'Zulmira Zorro',
  'Fears needles',
  'patient-of-zulmira',
  'chair of zulmira',
  'zulmira was here',
  'Zulmira is blocked',
];
const [patientName = '', patientNotes = '', patientExternalId = '', chair = '', excerpt = '', reason = ''] =
  SECRETS;
/** What is stored of the call. */
const CALL_SECRETS = ['+351963334445', '+351211112223', 'Zulmira is calling'];
const [fromNumber = '', toNumber = '', transcript = ''] = CALL_SECRETS;
/** Fields in which an answer shows a patient or a caller. */
const TELLING = new Set([
  'patientName',
  'patientPhoneHash',
  'patientExternalId',
  'patientNotes',
  'acknowledgement',
  'reason',
  'fromNumber',
  'transcript',
  'responseExcerpt',
  'comment',
  'answers',
]);

/** What was noted, whether or not it was new. */
const noted: Reading[] = [];
const api = await suiteApi({ reads: { add: (reading) => void noted.push(reading) } });
const { database, clinic, client } = api;
const { tenantId } = api.clinic;
const patientPhoneHash = createPhoneHash({ current: Buffer.alloc(32, 7) })({ tenantId, e164: PHONE });
const callerHash = createPhoneHash({ current: Buffer.alloc(32, 7) })({ tenantId, e164: fromNumber });
const endpointId = await anEndpoint(api.database, tenantId);

const keyed = Object.entries<Contract>(contracts).filter(([, { access }]) => access !== 'public');
const BLIND = SCOPES.filter((scope) => scope !== 'appointments:read');

const clientWith = async (scopes: readonly Scope[]) => createApiClient(api.url, await api.keyOf({ scopes }));

let hour = 400;

/** A patient's appointment with all that came of it. @param calls also a call, and one from the patient's phone */
async function aVisit({ calls = false } = {}) {
  hour += 2;
  const startsAt = inHours(hour);
  const patient = { patientName, patientPhoneHash, patientNotes, patientExternalId, metadata: { chair } };
  const { id } = await book(database, clinic, { ...patient, startsAt });
  // The caller's next appointment, which a briefing shows.
  const [, professionalId = ''] = clinic.professionalIds;
  const caller = { patientName: 'Caller', patientPhoneHash: callerHash, professionalId };
  await book(database, clinic, { ...caller, startsAt });
  const delivery = await database
    .em()
    .findOneOrFail(WebhookDeliveryEntity, { appointmentId: id, endpointId });
  await attempted(database, delivery, { number: 1, status: 500, responseExcerpt: excerpt });
  const refusal = { body: { version: 1, state: 'refused', reason } };
  await client.send('PUT', `/v1/appointments/${id}/acknowledgement`, refusal);
  const called = calls ? await twoCalls() : { callId: uuidv7(), ownCallId: uuidv7() };
  return { id, startsAt, ...called, deliveryId: delivery.id, eventId: delivery.eventId };
}

async function twoCalls() {
  const callId = await aStartedCall(client, { fromNumber, toNumber });
  await client.post(`/v1/calls/${callId}/events`, { events: [aSpeech(0, { transcript })] });
  return { callId, ownCallId: await aStartedCall(client, { fromNumber: PHONE }) };
}
type Visit = Awaited<ReturnType<typeof aVisit>>;

function idFor(operationId: string, { path }: Contract, visit: Visit): string {
  if (operationId === 'startCall') return uuidv7();
  if (operationId === 'getCallBriefing') return visit.ownCallId;
  if (path.startsWith('/v1/calls')) return visit.callId;
  if (path.startsWith('/v1/webhook-deliveries')) return visit.deliveryId;
  if (path.startsWith('/v1/webhook-events')) return visit.eventId;
  if (path.startsWith('/v1/webhook-endpoints')) return endpointId;
  return path.startsWith('/v1/appointments') ? visit.id : uuidv7();
}

/** Requests that are answered with what there is: the examples of the contract, and what makes it say more. */
function requestsFor(operationId: string, contract: Contract, visit: Visit): ApiRequest[] {
  const startsAt = visit.startsAt.toISOString();
  const [professionalId, serviceTypeId] = [clinic.professionalIds[0], clinic.serviceTypeId];
  const own = { professionalId, serviceTypeId, appointmentId: visit.id };
  const good = goodRequestFor(contract, clinic);
  const examples = Object.values(contract.request.body?.examples ?? {}).map((example) => {
    const replaced = Object.entries(own).filter(([name]) => name in (example as object));
    return { ...good, body: { ...(example as object), ...Object.fromEntries(replaced) } };
  });
  const same = { professionalId, serviceTypeId, startsAt, patientPhone: PHONE };
  const more: Record<string, unknown[]> = {
    bookAppointment: [{ ...same, patientName: patientName.toLowerCase() }],
    changeAppointment: [{}, { startsAt }, { patientNotes: 'Other notes' }, { externalId: uuidv7() }],
    searchAppointments: [{ patientPhone: PHONE }],
    appendCallEvents: [{ events: [aSpeech(1, {})] }],
    importAppointments: [{ items: [{ ...same, externalId: 'x', patientName: 'Rui', status: 'confirmed' }] }],
  };
  const plain = contract.request.body && examples.length > 0 ? [] : [good];
  return [...plain, ...examples, ...(more[operationId] ?? []).map((body) => ({ ...good, body }))];
}

/** Asks every route with every request, each about a visit of its own. */
async function* answersTo(client: ApiClient, asked = keyed) {
  for (const [operationId, contract] of asked) {
    // The last of several endpoints is needed by the other routes.
    if (operationId === 'deleteWebhookEndpoint' || operationId === 'speakMcp') continue;
    const calls = contract.path.startsWith('/v1/calls');
    let visit = await aVisit({ calls });
    const count = requestsFor(operationId, contract, visit).length;
    for (let at = 0; at < count; at += 1) {
      if (at > 0) visit = await aVisit({ calls });
      if (operationId === 'reinstateAppointment')
        await change(api.database, api.clinic, visit.id, { status: 'cancelled' });
      const request = requestsFor(operationId, contract, visit)[at] ?? {};
      const path = pathTo(contract, idFor(operationId, contract, visit));
      yield { operationId, visit, request, answer: await client.send(contract.method, path, request) };
    }
  }
}

/** Whether a field of the body, near or far, tells of a patient. */
function tells(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return Object.entries(body).some(
    ([name, value]) => (TELLING.has(name) && value !== null && value !== '') || tells(value),
  );
}

const notedFor = ({ headers }: ApiAnswer) =>
  noted.filter(({ requestId }) => requestId === headers.get('x-request-id'));

describe('a key that may read everything', () => {
  test('is written down for every answer that shows a patient, of every route', async () => {
    const [showing, silent] = [new Set<string>(), new Set<string>()];
    for await (const { operationId, answer } of answersTo(await clientWith(SCOPES))) {
      if (!tells(answer.body)) continue;
      showing.add(operationId);
      if (!notedFor(answer).some(({ ids }) => ids.length > 0)) silent.add(`${operationId} ${answer.status}`);
    }
    expect([...silent]).toEqual([]);
    const declared = keyed.filter(([, { shows }]) => shows).map(([operationId]) => operationId);
    expect([...showing].toSorted()).toEqual(
      declared.filter((operationId) => operationId !== 'importAppointments').toSorted(),
    );
  }, 120_000);

  test('is written down for a repeat and for what is booked already', async () => {
    const [visit, key] = [await aVisit(), { 'idempotency-key': uuidv7() }];
    const path = `/v1/appointments/${visit.id}`;
    await api.client.patch(path, {}, key);
    const other = await clientWith(SCOPES);
    const again = await other.patch(path, {}, key);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(notedFor(again)).toMatchObject([{ kind: 'appointment', ids: [visit.id] }]);
  });
});

describe('a key without appointments:read', () => {
  test('gets nothing of a patient but what it says, from every route, and is written down for what it may infer', async () => {
    const client = await clientWith(BLIND);
    const shown: unknown[] = [];
    const inferred = new Set<string>();
    for await (const { operationId, visit, request, answer } of answersTo(client)) {
      const leaks = [...SECRETS, patientPhoneHash].filter((secret) => answer.text.includes(secret));
      if (leaks.length > 0) shown.push([operationId, request.body, answer.status, leaks]);
      if (notedFor(answer).some(({ ids }) => ids.includes(visit.id))) inferred.add(operationId);
    }
    expect(shown).toEqual([]);
    for (const operationId of ['changeAppointment', 'reinstateAppointment', 'bookAppointment'])
      expect([...inferred]).toContain(operationId);
  }, 120_000);

  test('learns nothing of a patient by a repeat of what another key asked', async () => {
    const [visit, blind] = [await aVisit(), await clientWith(BLIND)];
    const booking = {
      professionalId: api.clinic.professionalIds[0],
      serviceTypeId: api.clinic.serviceTypeId,
      startsAt: visit.startsAt.toISOString(),
      patientName: patientName.toLowerCase(),
      patientPhone: PHONE,
    };
    const requests: [string, string, unknown][] = [
      ['PATCH', `/v1/appointments/${visit.id}`, {}],
      ['POST', '/v1/appointments', booking],
    ];
    for (const [method, path, body] of requests) {
      const headers = { 'idempotency-key': uuidv7() };
      const first = await api.client.send(method, path, { body, headers });
      expect(first.text).toContain(patientNotes);
      const again = await blind.send(method, path, { body, headers });
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([first.status, 'true']);
      for (const secret of [...SECRETS, patientPhoneHash]) expect(again.text).not.toContain(secret);
      expect(notedFor(again)).toMatchObject([{ ids: [visit.id] }]);
    }
  });

  test('is refused every change of a moved appointment, whatever it guesses; one that may read is not', async () => {
    const [visit, blind] = [await aVisit(), await clientWith(BLIND)];
    const moved = { startsAt: new Date(visit.startsAt.getTime() + 3_600_000) };
    await change(api.database, api.clinic, visit.id, moved);
    const path = `/v1/appointments/${visit.id}`;
    const right = { patientName, patientNotes, patientExternalId, patientPhone: PHONE, metadata: { chair } };
    const bodies = [
      {},
      right,
      ...Object.entries(right).map(([field, value]) => ({ [field]: value })),
      { patientName: 'Wrong' },
      { patientNotes: 'Wrong' },
      { metadata: null },
      { patientNotes: 'Wrong', metadata: {} },
      { status: 'rescheduled' },
      { startsAt: visit.startsAt.toISOString() },
      { startsAt: moved.startsAt.toISOString() },
      { externalId: 'mine' },
    ];
    for (const body of bodies) {
      const answer = await blind.patch(path, body, {});
      expect([body, answer.status, answer.body['error']]).toEqual([body, 409, 'appointment_rescheduled']);
    }
    for (const body of [{}, right]) expect((await api.client.patch(path, body)).status).toBe(200);
  });
});

describe('a key without calls:read', () => {
  test('gets nothing of a caller but what it says, from every route that records calls', async () => {
    const recording = keyed.filter(([, { access }]) => access.includes('calls:write'));
    const client = await clientWith(SCOPES.filter((scope) => scope !== 'calls:read'));
    const shown: unknown[] = [];
    for await (const { operationId, request, answer } of answersTo(client, recording)) {
      const sent = JSON.stringify(request.body ?? null);
      const leaks = CALL_SECRETS.filter((secret) => answer.text.includes(secret) && !sent.includes(secret));
      if (leaks.length > 0) shown.push([operationId, answer.status, leaks]);
    }
    expect(shown).toEqual([]);
    expect(recording.length).toBeGreaterThan(5);
  });
});

describe('an agent', () => {
  const tools = [...RECEPTION_TOOLS, ...SUPPORT_TOOLS];
  const GIVEN: Record<string, (visit: Visit) => object> = {
    find_appointments: () => ({ patientPhone: PHONE }),
    book: ({ startsAt }) => ({
      professionalId: api.clinic.professionalIds[0],
      serviceTypeId: api.clinic.serviceTypeId,
      startsAt: startsAt.toISOString(),
      patientName: patientName.toLowerCase(),
      patientPhone: PHONE,
    }),
    move: ({ id, startsAt }) => ({ id, startsAt: startsAt.toISOString() }),
    cancel: ({ id }) => ({ id }),
    appointment_history: ({ id }) => ({ id }),
    explain_delivery: ({ deliveryId }) => ({ id: deliveryId }),
  };

  async function use(client: ApiClient, name: string, visit: Visit): Promise<ApiAnswer> {
    const params = { name, arguments: GIVEN[name]?.(visit) ?? {} };
    const headers = { accept: 'application/json, text/event-stream' };
    const answer = await client.post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      headers,
    );
    expect(answer.status).toBe(200);
    return answer;
  }
  const resultIn = ({ body }: ApiAnswer) =>
    (body['result'] as { structuredContent?: unknown }).structuredContent;

  test('is written down for every tool that shows a patient', async () => {
    const client = await clientWith(SCOPES);
    const showing: string[] = [];
    for (const { name } of tools) {
      const visit = await aVisit();
      const answer = await use(client, name, visit);
      if (!tells(resultIn(answer))) continue;
      showing.push(name);
      expect([name, notedFor(answer)]).toEqual([
        name,
        [expect.objectContaining({ actor: expect.any(String) })],
      ]);
      expect(notedFor(answer)[0]?.ids).toContain(visit.id);
    }
    expect(showing).toEqual(['find_appointments', 'book', 'move', 'cancel', 'explain_delivery']);
  });

  test('without appointments:read gets nothing of a patient from any tool', async () => {
    const client = await clientWith(BLIND);
    for (const { name } of tools) {
      const visit = await aVisit();
      const { text } = await use(client, name, visit);
      for (const secret of [...SECRETS, patientPhoneHash])
        expect([name, text.includes(secret)]).toEqual([name, false]);
      if (name !== 'book') continue;
      expect(text).toContain(visit.id);
    }
  });
});
