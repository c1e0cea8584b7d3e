import { describe, expect, test } from '@jest/globals';
import { suiteApi } from '../../support/servers/api-server.ts';
import { createApiClient } from '../../support/api-client.ts';
import { ProfessionalEntity } from '../../../db/entities/professional.entity.ts';
import { aClinic, book } from '../../support/clinic.ts';

const NOW = new Date('2026-03-01T12:00:00Z');

const api = await suiteApi({ now: () => NOW });

interface Question {
  from: string;
  to: string;
  professionalId?: string;
}

async function aClinicWithHours(config: Record<string, unknown>, service = {}) {
  const clinic = await aClinic(api.database, { professionals: 2, config, service });
  const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
  const ask = (question: Question) =>
    client.get('/v1/availability', { serviceTypeId: clinic.serviceTypeId, ...question });
  const starts = async (question: Question) => {
    const { body } = await ask({ professionalId: clinic.professionalIds[0] ?? '', ...question });
    return (body['items'] as { startsAt: string }[]).map(({ startsAt }) => startsAt.slice(0, 16));
  };
  return { clinic, client, ask, starts };
}

const mornings = { sun: [['00:00', '04:00']], mon: [['09:00', '10:30']] };

describe('opening hours are the clinic’s local time on the days of the change', () => {
  test.each([
    [
      'Europe/Lisbon',
      '2026-03-29',
      ['00:00', '00:30', '01:00', '01:30', '02:00', '02:30'],
      'three hours long',
    ],
    [
      'Europe/Lisbon',
      '2026-10-25',
      ['23:00', '23:30', '00:00', '00:30', '01:00', '01:30', '02:00', '02:30', '03:00', '03:30'],
      'five hours long',
    ],
    [
      'Atlantic/Azores',
      '2026-03-29',
      ['01:00', '01:30', '02:00', '02:30', '03:00', '03:30'],
      'three hours long',
    ],
    [
      'Atlantic/Azores',
      '2026-10-25',
      ['00:00', '00:30', '01:00', '01:30', '02:00', '02:30', '03:00', '03:30', '04:00', '04:30'],
      'five hours long',
    ],
  ])('in %s on %s: %j, %s', async (timezone, date, expected) => {
    const { starts } = await aClinicWithHours({ timezone, businessHours: mornings });
    const dayBefore = new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
    const found = await starts({ from: `${dayBefore}T22:00:00Z`, to: `${date}T12:00:00Z` });
    expect(found.map((start) => start.slice(11))).toEqual(expected);
  });
});

test('the grid is duration and buffer from the opening; bookings and their buffers are left out', async () => {
  const hours = { timezone: 'Europe/Lisbon', businessHours: mornings };
  const { clinic, starts } = await aClinicWithHours(hours, { durationMinutes: 20, bufferMinutes: 10 });
  const day = { from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z' };
  expect(await starts(day)).toEqual(['2026-03-02T09:00', '2026-03-02T09:30', '2026-03-02T10:00']);
  await book(api.database, clinic, { startsAt: new Date('2026-03-02T09:15:00Z'), mayBackdate: true });
  expect(await starts(day)).toEqual(['2026-03-02T10:00']);
});

test('without a professional every one who offers the service is shown, by start and then by professional', async () => {
  const { clinic, ask } = await aClinicWithHours({ businessHours: { mon: [['09:00', '09:30']] } });
  const { body } = await ask({ from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z' });
  expect(body['items']).toEqual(
    clinic.professionalIds.toSorted().map((professionalId) => ({
      professionalId,
      startsAt: '2026-03-02T09:00:00.000Z',
      endsAt: '2026-03-02T09:30:00.000Z',
    })),
  );
});

test('special dates and the hours of each professional are what is offered', async () => {
  const { clinic, ask, client } = await aClinicWithHours({
    businessHours: { mon: [['09:00', '10:00']], tue: [['09:00', '10:00']] },
  });
  const hours = { specialHours: { '2026-03-02': [['11:00', '12:00']], '2026-03-03': [] } };
  expect(await client.patch('/v1/tenants/me', { config: hours })).toMatchObject({ status: 200 });
  const [ana = '', rui = ''] = clinic.professionalIds;
  await api.database.write((em) =>
    em.nativeUpdate(
      ProfessionalEntity,
      { id: ana },
      {
        workingHours: { mon: [['11:30', '18:00']], tue: [['09:00', '18:00']] },
        specialHours: { '2026-03-04': [['20:00', '20:30']] },
      },
    ),
  );
  const { body } = await ask({ from: '2026-03-02T00:00:00Z', to: '2026-03-05T00:00:00Z' });
  const found = body['items'] as { startsAt: string; professionalId: string }[];
  expect(found.map(({ startsAt, professionalId }) => [startsAt.slice(0, 16), professionalId])).toEqual([
    ['2026-03-02T11:00', rui],
    ['2026-03-02T11:30', ...[ana, rui].sort().slice(0, 1)],
    ['2026-03-02T11:30', ...[ana, rui].sort().slice(1)],
    ['2026-03-04T20:00', ana],
  ]);
});

test('a month in pages is what its days are, wherever the pages and the weeks of the calendar end', async () => {
  const businessHours = { sun: [['00:00', '24:00']], mon: [['09:00', '12:15']], thu: [['18:00', '24:00']] };
  const { ask } = await aClinicWithHours({ timezone: 'Europe/Lisbon', businessHours });
  const at = (day: number) => new Date(Date.UTC(2026, 2, 8, 0, 50) + day * 86_400_000).toISOString();
  const all = async (question: Question & { limit?: string }) => {
    const found: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await ask({ ...question, ...(cursor && { cursor }) });
      found.push(...(body['items'] as unknown[]));
      cursor = body['nextCursor'] as string | null;
    }
    return found;
  };
  const days = await Promise.all(
    Array.from({ length: 31 }, (_, day) => all({ from: at(day), to: at(day + 1) })),
  );
  expect(await all({ from: at(0), to: at(31), limit: '37' })).toEqual(days.flat());
  expect(days.flat().length).toBeGreaterThan(500);
});

test('slots lie in the future', async () => {
  const { starts } = await aClinicWithHours({ timezone: 'UTC' });
  const found = await starts({ from: '2026-03-01T00:00:00Z', to: '2026-03-01T13:30:00Z' });
  expect(found).toEqual(['2026-03-01T12:30', '2026-03-01T13:00']);
});

test('an appointment over midnight takes the hours of both days', async () => {
  const { clinic, starts } = await aClinicWithHours({ timezone: 'UTC' });
  const night = { startsAt: new Date('2026-03-04T22:00:00Z'), endsAt: new Date('2026-03-05T06:00:00Z') };
  await book(api.database, clinic, { ...night, mayBackdate: true });
  const evening = await starts({ from: '2026-03-04T20:00:00Z', to: '2026-03-05T00:00:00Z' });
  const morning = await starts({ from: '2026-03-05T00:00:00Z', to: '2026-03-05T07:00:00Z' });
  expect(evening.at(-1)).toBe('2026-03-04T21:30');
  expect(morning[0]).toBe('2026-03-05T06:00');
});

test.each([
  [{ from: '2026-03-02T00:00:00Z', to: '2026-03-02T00:00:00Z' }, 'query.to'],
  [{ from: '2026-03-02T00:00:00Z', to: '2026-04-03T00:00:00Z' }, 'query.to'],
  [{ from: 'tomorrow', to: '2026-04-03T00:00:00Z' }, 'query.from'],
])('%j is refused at %s', async (question, path) => {
  const { ask } = await aClinicWithHours({});
  expect(await ask(question)).toMatchObject({ status: 422, body: { errors: [{ path }] } });
});

test('another clinic’s service or professional has no slots here', async () => {
  const { ask } = await aClinicWithHours({});
  const day = { from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z' };
  const none = { items: [], nextCursor: null, hasMore: false };
  expect((await ask({ ...day, professionalId: api.clinic.professionalIds[0] ?? '' })).body).toEqual(none);
  const own = await api.client.get('/v1/availability', {
    ...day,
    serviceTypeId: (await aClinicWithHours({})).clinic.serviceTypeId,
  });
  expect(own.body).toEqual(none);
});
