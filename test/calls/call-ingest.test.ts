import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { createApiClient, wrongPathsIn } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { aClinic } from '../support/clinic.ts';
import { dump } from '../support/stored/stored-texts.ts';
import { aCallBody, aSpeech, aStartedCall, CALLER, CLINIC_NUMBER, eventsOf } from './call-builders.ts';

const api = await suiteApi();
const other = await aClinic(api.database);
const stranger = createApiClient(api.url, await api.keyOf({ tenantId: other.tenantId }));

const statusesOf = (answers: readonly { status: number }[]) =>
  answers.map((answer) => answer.status).sort((a, b) => a - b);

describe('the start of a call', () => {
  test('is recorded once: 201, then 200 for the same, then 409 for another', async () => {
    const path = `/v1/calls/${uuidv7()}`;
    const body = aCallBody({ metadata: { language: 'pt', depth: -0 }, telephonyCallControlId: 'v3:x' });
    const before = (await eventsOf(api, 'call.started')).length;
    const first = await api.client.send('PUT', path, { body });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      id: path.split('/').at(-1),
      telephonyCallControlId: 'v3:x',
      fromNumber: CALLER,
      toNumber: CLINIC_NUMBER,
      status: 'in_progress',
      outcome: null,
      startedAt: '2026-03-02T09:30:00.000Z',
      endedAt: null,
      durationSeconds: null,
      transcriptionWordCount: null,
    });
    const again = await api.client.send('PUT', path, {
      body: { ...body, startedAt: '2026-03-02T10:30:00+01:00' },
    });
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    const different = await api.client.send('PUT', path, { body: { ...body, fromNumber: '+351910000000' } });
    expect(different.status).toBe(409);
    expect(different.body).toMatchObject({
      error: 'external_id_conflict',
      errors: [{ path: 'body.fromNumber' }],
    });
    expect(different.text).not.toContain('35191');
    expect(await eventsOf(api, 'call.started')).toHaveLength(before + 1);
  });

  test('tells what is known so far', async () => {
    const id = await aStartedCall(api.client);
    const events = await eventsOf(api, 'call.started');
    expect(events.at(-1)).toMatchObject({
      type: 'call.started',
      data: { call: { id, fromNumber: CALLER, startedAt: '2026-03-02T09:30:00.000Z' } },
    });
  });

  test('ten at once with one id make one call and one event', async () => {
    const id = uuidv7();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.client.send('PUT', `/v1/calls/${id}`, { body: aCallBody() })),
    );
    expect(statusesOf(answers)).toEqual([...Array<number>(9).fill(200), 201]);
    const told = (await eventsOf(api, 'call.started')).filter((event) => event.data.call?.id === id);
    expect(told).toHaveLength(1);
  });

  test('leaves neither number readable in its row', async () => {
    const id = await aStartedCall(api.client);
    const [row] = await api.database
      .em()
      .execute<Record<string, unknown>[]>('SELECT * FROM call WHERE id = ?', [id]);
    expect(JSON.stringify(row)).not.toContain('912345678');
    expect(JSON.stringify(row)).not.toContain('210000000');
    expect(row?.['from_number_hash']).toMatch(/^[0-9a-f]{64}$/);
  });

  test('a number that is not E.164 and a time without offset are refused together', async () => {
    const body = aCallBody({ fromNumber: '912345678', startedAt: '2026-03-02T09:30:00' });
    const answer = await api.client.send('PUT', `/v1/calls/${uuidv7()}`, { body });
    expect(answer.status).toBe(422);
    expect(wrongPathsIn(answer)).toEqual(['body.fromNumber', 'body.startedAt']);
  });
});

describe('what was said and done', () => {
  test('is kept in order of sequence, whatever order it came in', async () => {
    const id = await aStartedCall(api.client);
    const events = [
      aSpeech(3, { eventType: 'tool_result', transcript: null, toolName: 'book', toolOutput: { ok: [1] } }),
      aSpeech(1),
      aSpeech(2, { eventType: 'tool_call', toolName: 'book', toolInput: { at: null, note: 'dor' } }),
    ];
    const first = await api.client.post(`/v1/calls/${id}/events`, { events });
    expect(first.status).toBe(201);
    const { body } = await api.client.get(`/v1/calls/${id}`);
    expect(body['events']).toMatchObject([
      { sequence: 1 },
      { sequence: 2, toolName: 'book', toolInput: { at: null, note: 'dor' } },
      { sequence: 3, toolOutput: { ok: [1] } },
    ]);
    expect(body['events']).toEqual(first.body['items']);
  });

  test('repeats are recognised, alone and among new ones; a changed one refuses all of its request', async () => {
    const path = `/v1/calls/${await aStartedCall(api.client)}/events`;
    await api.client.post(path, { events: [aSpeech(0)] });
    expect((await api.client.post(path, { events: [aSpeech(0)] })).status).toBe(200);
    expect((await api.client.post(path, { events: [aSpeech(0), aSpeech(1)] })).status).toBe(201);
    const changed = await api.client.post(path, {
      events: [aSpeech(2), aSpeech(1, { transcript: 'Segredo' })],
    });
    expect(changed.status).toBe(409);
    expect(changed.body).toMatchObject({
      error: 'external_id_conflict',
      errors: [{ path: 'body.events.1.transcript' }],
    });
    expect(changed.text).not.toMatch(/Segredo|Bom dia/);
    const { body } = await api.client.get(path.replace('/events', ''));
    expect(body['events']).toHaveLength(2);
  });

  test('one sequence twice in a request is refused', async () => {
    const path = `/v1/calls/${await aStartedCall(api.client)}/events`;
    const answer = await api.client.post(path, { events: [aSpeech(0), aSpeech(1), aSpeech(0)] });
    expect(answer.status).toBe(422);
    expect(answer.body['errors']).toMatchObject([{ path: 'body.events.2.sequence' }]);
  });

  test('writers who send the same events in opposite orders neither deadlock nor store twice', async () => {
    const path = `/v1/calls/${await aStartedCall(api.client)}/events`;
    const events = Array.from({ length: 100 }, (_, sequence) => aSpeech(sequence));
    const reversed = [...events].reverse();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => api.client.post(path, { events: n % 2 ? events : reversed })),
    );
    expect(statusesOf(answers)).toEqual([...Array<number>(7).fill(200), 201]);
  });

  test('never reaches the log', async () => {
    const path = `/v1/calls/${await aStartedCall(api.client)}/events`;
    await api.client.post(path, { events: [aSpeech(0, { transcript: 'dor no dente 36' })] });
    await api.client.post(path, { events: [aSpeech(0, { transcript: 'dor no dente 37' })] });
    expect(api.log.join('\n')).not.toMatch(/dente|35191|35121/);
  });
});

describe('the end of a call', () => {
  const end = {
    endedAt: '2026-03-02T09:32:24.600Z',
    outcome: 'booking_created',
    transcriptionWordCount: 212,
  };

  test('is recorded once, with its length, and told', async () => {
    const id = await aStartedCall(api.client);
    const path = `/v1/calls/${id}/complete`;
    const first = await api.client.post(path, end);
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ ...end, status: 'completed', durationSeconds: 145 });
    expect((await api.client.post(path, end)).status).toBe(200);
    const other = await api.client.post(path, { ...end, outcome: 'voicemail' });
    expect(other.status).toBe(409);
    expect(other.body['errors']).toMatchObject([{ path: 'body.outcome' }]);
    const told = (await eventsOf(api, 'call.completed')).filter((event) => event.data.call?.id === id);
    expect(told.map((event) => event.data)).toEqual([
      {
        call: {
          id,
          fromNumber: CALLER,
          startedAt: '2026-03-02T09:30:00.000Z',
          endedAt: end.endedAt,
          durationSeconds: 145,
          outcome: 'booking_created',
        },
      },
    ]);
    expect((await api.client.send('PUT', `/v1/calls/${id}`, { body: aCallBody() })).status).toBe(200);
  });

  test('cannot lie before its start', async () => {
    const id = await aStartedCall(api.client);
    const answer = await api.client.post(`/v1/calls/${id}/complete`, {
      ...end,
      endedAt: '2026-03-02T09:29:59Z',
    });
    expect(answer.status).toBe(422);
    expect(answer.body['errors']).toMatchObject([{ path: 'body.endedAt' }]);
  });
});

test('another clinic’s call is unknown to every route, and stays as it is', async () => {
  const id = await aStartedCall(api.client);
  const before = await api.client.get(`/v1/calls/${id}`);
  const end = { endedAt: '2026-03-02T09:32:24Z', outcome: 'info_only' };
  const answers = [
    await stranger.send('PUT', `/v1/calls/${id}`, { body: aCallBody() }),
    await stranger.get(`/v1/calls/${id}`),
    await stranger.post(`/v1/calls/${id}/events`, { events: [aSpeech(0)] }),
    await stranger.post(`/v1/calls/${id}/complete`, end),
    await stranger.get(`/v1/calls/${id}/recording`),
    await stranger.delete(`/v1/calls/${id}/recording`),
    await stranger.send('PUT', `/v1/calls/${id}/recording`, {
      rawBody: 'audio',
      headers: { 'content-type': 'audio/wav' },
    }),
  ];
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 404));
  expect(new Set(answers.map((answer) => answer.body['error']))).toEqual(new Set(['not_found']));
  expect((await api.client.get(`/v1/calls/${id}`)).body).toEqual(before.body);
});

test('a key without calls:write may not record', async () => {
  const reader = createApiClient(api.url, await api.keyOf({ scopes: ['calls:read'] }));
  const answer = await reader.send('PUT', `/v1/calls/${uuidv7()}`, { body: aCallBody() });
  expect(answer.status).toBe(403);
  expect(answer.body).toMatchObject({ requiredScopes: ['calls:write'] });
});

test('no number of a call can be read in the database', async () => {
  const id = await aStartedCall(api.client);
  await api.client.post(`/v1/calls/${id}/complete`, {
    endedAt: '2026-03-02T09:35:00Z',
    outcome: 'info_only',
  });
  expect((await eventsOf(api, 'call.completed')).at(-1)?.data.call).toMatchObject({ id, fromNumber: CALLER });
  const stored = await dump(api.database);
  expect(stored).toContain(id);
  expect(stored).not.toContain(CALLER.slice(1));
});
