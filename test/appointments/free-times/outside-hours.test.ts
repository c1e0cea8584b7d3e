import { beforeEach, describe, expect, test } from '@jest/globals';
import { ProfessionalEntity } from '../../../db/entities/professional.entity.ts';
import { createApiClient, wrongPathsIn, type ApiAnswer, type ApiClient } from '../../support/api-client.ts';
import { aClinic, bookingBody, type TestClinic } from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { uuidv7 } from 'uuidv7';
import { ServiceTypeEntity } from '../../../db/entities/service-type.entity.ts';

const NOW = new Date('2026-03-01T12:00:00Z');

let clinic: TestClinic;
let client: ApiClient;

const api = await suiteApi({ now: () => NOW });

/** Open on Mondays and Tuesdays, but on Tuesday the 3rd not; Ana alone works. */
beforeEach(async () => {
  const day = [
    ['09:00', '12:00'],
    ['14:00', '18:00'],
  ];
  const config = { businessHours: { mon: day, tue: day }, specialHours: { '2026-03-03': [] } };
  clinic = await aClinic(api.database, { config, service: { bufferMinutes: 10 } });
  client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
});

const at = (time: string) => `2026-03-${time}:00.000Z`;
const INSIDE = at('02T09:00');
const OUTSIDE = at('02T12:00');

function book(startsAt: string, changes: Record<string, unknown> = {}, headers = {}): Promise<ApiAnswer> {
  return client.post('/v1/appointments', bookingBody(clinic, new Date(startsAt), changes), headers);
}

function kindOf({ status, body }: ApiAnswer): unknown {
  return status < 300 ? status : body['error'];
}

function block(externalId: string, from: string, until: string, isOfClinic = false): Promise<ApiAnswer> {
  const professionalId = isOfClinic ? null : clinic.professionalIds[0];
  return client.send('PUT', `/v1/busy-blocks/${externalId}`, {
    body: { professionalId, startsAt: from, endsAt: until },
  });
}

describe('whether a booking keeps to the hours', () => {
  test.each([
    ['manual', undefined, 201],
    ['sync_external', undefined, 201],
    ['voice_ai', undefined, 'outside_hours'],
    ['self_service', undefined, 'outside_hours'],
    ['manual', true, 'outside_hours'],
    ['sync_external', true, 'outside_hours'],
    ['voice_ai', false, 201],
    ['self_service', false, 201],
  ])('%s with respectHours %j: %s', async (source, respectHours, expected) => {
    expect(kindOf(await book(OUTSIDE, { source, respectHours }))).toBe(expected);
    expect(kindOf(await book(INSIDE, { source, respectHours }))).toBe(201);
  });

  test('is said with times nearby that can be booked', async () => {
    const { status, body } = await book(OUTSIDE, { source: 'voice_ai' });
    expect(status).toBe(409);
    const alternatives = body['alternatives'] as { startsAt: string }[];
    expect(alternatives.map(({ startsAt }) => startsAt)).toEqual([
      at('02T10:20'),
      at('02T11:00'),
      at('02T14:00'),
    ]);
    for (const { startsAt } of alternatives)
      expect(kindOf(await book(startsAt, { source: 'voice_ai' }))).toBe(201);
  });

  test('is said again to who asks again with the same key', async () => {
    const header = { 'idempotency-key': 'out' };
    const first = await book(OUTSIDE, { respectHours: true }, header);
    await client.patch('/v1/tenants/me', { config: { businessHours: null } });
    const again = await book(OUTSIDE, { respectHours: true }, header);
    expect([first.status, again.status, again.text]).toEqual([409, 409, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await book(OUTSIDE, { respectHours: true }, { 'idempotency-key': 'in' });
    expect(kindOf(other)).toBe(201);
  });

  test('is decided of each of many that come together', async () => {
    const starts = Array.from({ length: 12 }, (_, nr) => at(`02T${String(8 + nr).padStart(2, '0')}:00`));
    const answers = await Promise.all(
      starts.map((startsAt, nr) => book(startsAt, { source: nr % 3 === 0 ? 'manual' : 'voice_ai' })),
    );
    const taken = (hour: number) => hour % 3 === 2 || [9, 10, 11, 14, 15, 16, 17].includes(hour);
    expect(answers.map(kindOf)).toEqual(starts.map((_, nr) => (taken(8 + nr) ? 201 : 'outside_hours')));
  });
});

describe('outside the hours is', () => {
  const kindWhen = async (startsAt: string, changes = {}) =>
    kindOf(await book(startsAt, { respectHours: true, ...changes }));

  test.each([
    ['what begins before the opening', at('02T08:59')],
    ['what ends after the closing', at('02T11:31')],
    ['what lies in the break', at('02T12:30')],
    ['a weekday that is closed', at('04T09:00')],
    ['a holiday', at('03T09:00')],
  ])('%s', async (_, startsAt) => {
    expect(await kindWhen(startsAt)).toBe('outside_hours');
  });

  test('what a length of one’s own lets reach beyond', async () => {
    expect(await kindWhen(at('02T11:00'), { endsAt: at('02T12:01') })).toBe('outside_hours');
    expect(await kindWhen(at('02T11:00'), { endsAt: at('02T12:00') })).toBe(201);
  });

  test('not the buffer, nor a start off the grid', async () => {
    expect(await kindWhen(at('02T11:30'))).toBe(201);
    expect(await kindWhen(at('02T09:07'))).toBe(201);
  });

  test('not midnight between two days that are open all day', async () => {
    await client.patch('/v1/tenants/me', { config: { businessHours: null, specialHours: null } });
    expect(await kindWhen(at('02T23:45'))).toBe(201);
  });

  test('a time at which the professional does not work', async () => {
    await api.database.write((em) =>
      em.nativeUpdate(
        ProfessionalEntity,
        { tenantId: clinic.tenantId },
        { workingHours: { mon: [['14:00', '16:00']] }, specialHours: { '2026-03-03': [['20:00', '21:00']] } },
      ),
    );
    expect(await kindWhen(at('02T09:00'))).toBe('outside_hours');
    expect(await kindWhen(at('02T15:00'))).toBe(201);
    expect(await kindWhen(at('03T20:15'))).toBe(201);
  });

  test('a busy block, which the buffer may not reach into either', async () => {
    await block('lunch', at('02T10:00'), at('02T11:00'));
    expect(await kindWhen(at('02T10:30'))).toBe('outside_hours');
    expect(await kindWhen(at('02T09:25'))).toBe('outside_hours');
    expect(await kindWhen(at('02T09:20'))).toBe(201);
    expect(await kindWhen(at('02T11:00'))).toBe(201);
    await block('closed', at('02T16:00'), at('02T17:00'), true);
    expect(await kindWhen(at('02T16:30'))).toBe('outside_hours');
    expect(kindOf(await book(at('02T16:30')))).toBe(201);
  });
});

describe('a move', () => {
  const move = (answer: ApiAnswer, startsAt: string, changes = {}) =>
    client.patch(`/v1/appointments/${String(answer.body['id'])}`, { startsAt, ...changes });

  test('keeps to the hours as the source of the appointment has it', async () => {
    const byHand = await book(at('02T09:00'));
    const byPhone = await book(at('02T10:00'), { source: 'voice_ai' });
    expect(kindOf(await move(byPhone, OUTSIDE))).toBe('outside_hours');
    expect((await client.get(`/v1/appointments/${String(byPhone.body['id'])}`)).body).toEqual(byPhone.body);
    expect(kindOf(await move(byPhone, at('02T14:00')))).toBe(200);
    expect(kindOf(await move(byHand, OUTSIDE))).toBe(200);
  });

  test('keeps to them or not as the request says', async () => {
    const byHand = await book(at('02T09:00'));
    const byPhone = await book(at('02T10:00'), { source: 'voice_ai' });
    expect(kindOf(await move(byHand, OUTSIDE, { respectHours: true }))).toBe('outside_hours');
    expect(kindOf(await move(byPhone, OUTSIDE, { respectHours: false }))).toBe(200);
  });

  test('alone takes respectHours in a PATCH', async () => {
    const byHand = await book(at('02T09:00'));
    const answer = await client.patch(`/v1/appointments/${String(byHand.body['id'])}`, {
      patientNotes: 'x',
      respectHours: true,
    });
    expect([answer.status, wrongPathsIn(answer)]).toEqual([422, ['body.respectHours']]);
  });
});

/** 100 professionals offer 20 services of five minutes each, on weekdays from 8 to 18: in two months nine million times. */
const day = [['08:00', '18:00']];
const businessHours = { mon: day, tue: day, wed: day, thu: day, fri: day };
const { tenantId } = await aClinic(api.database, { professionals: 100, config: { businessHours } });
const searcher = createApiClient(api.url, await api.keyOf({ tenantId }));
const serviceTypeIds = Array.from({ length: 20 }, () => uuidv7());
await api.database.write((em) =>
  em.insertMany(
    ServiceTypeEntity,
    serviceTypeIds.map((id) => ({ id, tenantId, name: 'Vaccination', durationMinutes: 5 })),
  ),
);

async function search(wish: Record<string, unknown>): Promise<{ startsAt: string }[]> {
  const to = '2026-05-01T12:00:00Z';
  const answer = await searcher.post('/v1/availability/search', { serviceTypeIds, to, limit: 20, ...wish });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.body['items'] as { startsAt: string }[];
}

test('a search of a large clinic for what it never has is answered at once, and finds nothing', async () => {
  expect(await search({ partOfDay: 'evening' })).toEqual([]);
  expect(await search({ notBefore: '17:56' })).toEqual([]);
});

test('times spread over the days of a large clinic are the first of each', async () => {
  const found = await search({ spread: 'days', weekdays: ['mon', 'wed'], notBefore: '10:02' });
  expect(new Set(found.map(({ startsAt }) => startsAt)).size).toBe(18);
  expect(found.slice(-2).map(({ startsAt }) => startsAt)).toEqual([
    '2026-04-27T09:05:00.000Z',
    '2026-04-29T09:05:00.000Z',
  ]);
});
