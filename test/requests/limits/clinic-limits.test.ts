import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { clinicLimits, KEY_LIMITS } from '../../../domain/rate-limits.ts';
import { createApiClient, untilAnswered, type ApiAnswer } from '../../support/api-client.ts';
import { aClinic, aKey } from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';

const api = await suiteApi({ limits: { areDisabled: false, trustedHops: 1 } });

/** A clinic of its own that may send so many requests a minute, and clients with so many keys of it. */
async function clinicWith(requestsPerMinute: number, keys: number) {
  const { tenantId } = await aClinic(api.database);
  await api.database.em().nativeUpdate(TenantEntity, { id: tenantId }, { requestsPerMinute });
  const clients = [];
  for (let nr = 0; nr < keys; nr += 1)
    clients.push(createApiClient(api.url, await aKey(api.database, tenantId)));
  return { tenantId, clients };
}

const services = (client: { get: (path: string) => Promise<ApiAnswer> }) => client.get('/v1/services');

describe('all keys of a clinic together', () => {
  test('get as many requests as their clinic has, whichever of them asks', async () => {
    const { clients } = await clinicWith(30, 4);
    const answers = await Promise.all(Array.from({ length: 10 }, () => clients.map(services)).flat());
    const refused = answers.filter(({ status }) => status === 429);
    expect([answers.length - refused.length, refused.length]).toEqual([30, 10]);
    expect(refused[0]?.body['error']).toBe('rate_limited');
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(1);
    expect(refused[0]?.headers.get('ratelimit')).toContain('"clinic";r=0;');
    expect(Number(refused[0]?.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(290);
  });

  test('do not pay for refused requests', async () => {
    const { tenantId, clients } = await clinicWith(30, 3);
    await Promise.all(Array.from({ length: 20 }, () => clients.map(services)).flat());
    const [window] = await api.database
      .em()
      .execute<[{ used: number }]>(
        'SELECT (totals[61] - totals[1])::integer AS used FROM clinic_window WHERE tenant_id = ?',
        [tenantId],
      );
    expect(window.used).toBe(30);
  });

  test('leave other clinics theirs', async () => {
    const busy = await clinicWith(30, 2);
    const other = await clinicWith(30, 1);
    await Promise.all(Array.from({ length: 20 }, () => busy.clients.map(services)).flat());
    const answers = await Promise.all(other.clients.map(services));
    expect(answers.map(({ status }) => status)).toEqual([200]);
  });

  test('get more as soon as an operator says so', async () => {
    const { tenantId, clients } = await clinicWith(30, 3);
    await Promise.all(Array.from({ length: 12 }, () => clients.map(services)).flat());
    await api.database.em().nativeUpdate(TenantEntity, { id: tenantId }, { requestsPerMinute: 6000 });
    const unused = createApiClient(api.url, await aKey(api.database, tenantId));
    const { status, headers } = await services(unused);
    expect(status).toBe(200);
    expect(headers.get('ratelimit-policy')).toContain('"clinic";q=6000;w=60, "clinic-burst";q=200;w=1');
  });
});

test('bad keys of many clinics and addresses are counted beside good ones in one statement', async () => {
  const clinics = await Promise.all([clinicWith(3000, 3), clinicWith(3000, 3)]);
  const good = clinics.flatMap(({ clients }) => clients);
  const bad = createApiClient(api.url, null);
  const from = (at: number) => ({ headers: { 'x-forwarded-for': `203.0.113.${at}` } });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => [
      ...good.map((client) => untilAnswered(() => services(client))),
      untilAnswered(() => bad.send('GET', '/v1/services', from(at % 7))),
    ]).flat(),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
});

const NOON = Date.parse('2026-03-02T12:00:00.000Z');

interface Counted {
  isAccepted: boolean;
  retryAfterMs: number;
  remaining: number[];
}

async function countAt(tenantId: string, requestsPerMinute: number, ms: number): Promise<Counted> {
  const [row] = await api.database.em().execute<[Counted]>(
    `SELECT is_accepted AS "isAccepted", retry_after_ms AS "retryAfterMs", remaining
     FROM admit_request(?, ARRAY[100000], ARRAY[60], ?, ?, ?)`,
    [`key:${tenantId}`, tenantId, requestsPerMinute, new Date(NOON + ms)],
  );
  return row;
}

/** Remembers the second of every accepted request, and counts them each time. */
function secondsModel(requestsPerMinute: number) {
  const accepted: number[] = [];
  const limits = clinicLimits(requestsPerMinute);
  return (ms: number) => {
    const hasRoom = (at: number) => {
      const second = Math.floor(at / 1000);
      return limits.every(
        ({ requests, windowSeconds }) =>
          accepted.filter((one) => one > second - windowSeconds).length < requests,
      );
    };
    const isAccepted = hasRoom(ms);
    let free = ms;
    while (!hasRoom(free)) free = (Math.floor(free / 1000) + 1) * 1000;
    if (isAccepted) accepted.push(Math.floor(ms / 1000));
    return { isAccepted, retryAfterMs: free - ms };
  };
}

test('a clinic’s requests are counted in steps of a second, as a model that remembers each of them does', async () => {
  const gaps = fc.array(fc.constantFrom(0, 0, 0, 100, 400, 1000, 1700, 9000, 30_000, 61_000), {
    minLength: 1,
    maxLength: 80,
  });
  await fc.assert(
    fc.asyncProperty(gaps, async (steps) => {
      const tenantId = uuidv7();
      const model = secondsModel(30);
      let ms = 0;
      for (const gap of steps) {
        ms += gap;
        const { isAccepted, retryAfterMs } = await countAt(tenantId, 30, ms);
        expect({ isAccepted, retryAfterMs: Math.round(retryAfterMs) }).toEqual(model(ms));
      }
    }),
    { numRuns: 40 },
  );
});

test('a second is full at a thirtieth of the minute, and 30 for small clinics', async () => {
  const tenantId = uuidv7();
  const at = async (ms: number) => (await countAt(tenantId, 3000, ms)).isAccepted;
  const first = [];
  for (let nr = 0; nr < 101; nr += 1) first.push(await at(500));
  expect(first.filter(Boolean)).toHaveLength(100);
  expect([await at(999), await at(1000)]).toEqual([false, true]);
  expect(clinicLimits(30).map(({ requests }) => requests)).toEqual([30, 30]);
});

test('the windows of a clinic come after those of its key', async () => {
  const { clients } = await clinicWith(60, 1);
  const { headers } = await services(clients[0] ?? createApiClient(api.url, null));
  const names = [...KEY_LIMITS, ...clinicLimits(60)].map(({ name }) => name);
  expect(
    [...(headers.get('ratelimit-policy') ?? '').matchAll(/"([\w-]+)"/g)].map(([, name]) => name),
  ).toEqual(names);
  expect(headers.get('x-ratelimit-limit')).toBe('300');
});
