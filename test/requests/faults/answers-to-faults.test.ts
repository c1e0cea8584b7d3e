import { afterEach, describe, expect, test } from '@jest/globals';
import type { ClinicDatabase, Database } from '../../../db/connection/open-database.ts';
import { createApiClient } from '../../support/api-client.ts';
import { startTestApi, type TestApi } from '../../support/servers/api-server.ts';
import { anyPort } from '../../../dev/processes/free-port.ts';
import { openDatabaseAt } from '../../support/database.ts';

const SECRET = 'Maria Santos +351912345678';

let api: TestApi;
afterEach(() => api[Symbol.asyncDispose]());

describe('without the database', () => {
  test('the service says so, and when to come back', async () => {
    const port = await anyPort('127.0.0.1');
    await using away = await openDatabaseAt(`postgres://nobody@127.0.0.1:${port}/none`);
    api = await startTestApi({ database: away });
    const answer = await api.client.get('/v1/tenants/me');
    expect([answer.status, answer.body['error']]).toEqual([503, 'temporarily_unavailable']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Object.keys(answer.body).sort()).toEqual(['error', 'message', 'requestId']);
    const ready = await createApiClient(api.url, null).get('/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({ status: 'unavailable', parts: { database: 'down' } });
    expect((await createApiClient(api.url, null).get('/health')).status).toBe(200);
  });
});

describe('a fault of ours', () => {
  test('answers 500 that says nothing more, and is logged once without its words', async () => {
    api = await startTestApi({
      now: () => {
        throw new Error(SECRET);
      },
    });
    const answer = await createApiClient(api.url, null).get('/health');
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      error: 'internal_error',
      message: 'Something went wrong on our side. Try again, or contact support with the request ID.',
      requestId: answer.headers.get('x-request-id'),
    });
    const faults = api.log.filter((line) => line.includes('request.failed'));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(answer.headers.get('x-request-id'));
    expect(api.log.join('\n')).not.toContain('Maria');
  });

  test('never passes on what PostgreSQL says', async () => {
    api = await startTestApi();
    const broken: Database = Object.assign(Object.create(api.database) as Database, {
      ofClinic: (tenantId: string): ClinicDatabase => ({
        ...api.database.ofClinic(tenantId),
        write: (work) =>
          api.database.write(async (em) => {
            await em.execute('SELECT ?::integer', [SECRET]);
            return work(em);
          }),
      }),
    });
    const second = await startTestApi({ database: broken });
    try {
      const key = await api.keyOf();
      const answer = await createApiClient(second.url, key).patch('/v1/tenants/me', { name: 'x' });
      expect([answer.status, answer.body['error']]).toEqual([500, 'internal_error']);
      expect(answer.text).not.toContain('Maria');
      const log = second.log.join('\n');
      expect(log).toContain('22P02');
      expect(log).not.toContain('Maria');
    } finally {
      await second[Symbol.asyncDispose]();
    }
  });
});
