import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { ServiceTypeEntity } from '../../../db/entities/service-type.entity.ts';
import { createApiClient, type ApiClient } from '../../support/api-client.ts';
import { aClinic } from '../../support/clinic.ts';
import { startTestApi, type TestApi } from '../../support/servers/api-server.ts';

/** A Sunday. */
const NOW = new Date('2026-03-01T12:00:00Z');

let api: TestApi;
let client: ApiClient;
let serviceTypeIds: string[];

/** 100 professionals offer 20 services of five minutes each, on weekdays from 8 to 18: in two months nine million times. */
beforeAll(async () => {
  api = await startTestApi({ now: () => NOW });
  const day = [['08:00', '18:00']];
  const businessHours = { mon: day, tue: day, wed: day, thu: day, fri: day };
  const { tenantId } = await aClinic(api.database, { professionals: 100, config: { businessHours } });
  client = createApiClient(api.url, await api.keyOf({ tenantId }));
  serviceTypeIds = Array.from({ length: 20 }, () => uuidv7());
  await api.database.write((em) =>
    em.insertMany(
      ServiceTypeEntity,
      serviceTypeIds.map((id) => ({ id, tenantId, name: 'Vaccination', durationMinutes: 5 })),
    ),
  );
});
afterAll(() => api.stop());

async function search(wish: Record<string, unknown>): Promise<{ startsAt: string }[]> {
  const to = '2026-05-01T12:00:00Z';
  const answer = await client.post('/v1/availability/search', { serviceTypeIds, to, limit: 20, ...wish });
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
