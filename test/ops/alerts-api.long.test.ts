import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createApiClient, type ApiAnswer, type ApiClient } from '../support/api-client.ts';
import { aClinic, aKey } from '../support/clinic.ts';
import { until } from '../support/until.ts';
import { duringForgottenTransaction } from './forgotten-transaction.ts';
import { startWatchedService } from './watched-service.ts';
import { forSuite } from '../support/for-suite.ts';

/**
 * What goes wrong in the API. The tests share it and run in the order in which they stand; what looks at the last five
 * minutes goes on firing for so long, and is then named as something that fires still.
 */

const CLINICS = 4;
/** Of each clinic: more than a hundred wait beside the few whose turn it is. */
const CALLERS = 40;

const service = await forSuite(startWatchedService());
const clients: ApiClient[] = [];
for (let clinics = 0; clinics < CLINICS; clinics += 1) {
  const { tenantId } = await aClinic(service.database);
  clients.push(createApiClient(service.api.url, await aKey(service.database, tenantId)));
}

function firstClient(): ApiClient {
  const [first] = clients;
  if (!first) throw new Error('there is no clinic');
  return first;
}

function whileProfessionalsAreLocked(work: () => Promise<void>): Promise<void> {
  const { databaseUrl } = service.surroundings;
  return duringForgottenTransaction(databaseUrl, ['LOCK TABLE professional IN ACCESS EXCLUSIVE MODE'], work);
}

test('a machine that does not let the API run: the process gets to its work late', async () => {
  await service.untilNothingFires();
  const over = new AbortController();
  const busy = (async () => {
    while (!over.signal.aborted) {
      process.kill(service.api.pid, 'SIGSTOP');
      await pause(400);
      process.kill(service.api.pid, 'SIGCONT');
      await pause(300);
    }
  })();
  await service.untilOnly('EventLoopBlocked').finally(() => over.abort());
  await busy;
  await service.untilNothingFires();
});

test('a table that a report locks for two seconds at a time: requests are slow, and succeed', async () => {
  const report = async () => {
    const answers: Promise<ApiAnswer>[] = [];
    await whileProfessionalsAreLocked(async () => {
      answers.push(firstClient().get('/v1/professionals'));
      await pause(2000);
    });
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200]);
  };
  await until('ApiSlow to fire', async () => {
    await report();
    return service.prometheus.isFiring('ApiSlow');
  });
  await service.untilOnly('ApiSlow');
});

test('an API that is newer than the tables: requests fail', async () => {
  const rename = (from: string, to: string) =>
    service.database.em().execute(`ALTER TABLE ${from} RENAME TO ${to}`);
  await rename('professional', 'professional_before');
  await until('ApiErrors to fire', async () => {
    expect((await firstClient().get('/v1/professionals')).status).toBe(500);
    return service.prometheus.isFiring('ApiErrors');
  });
  await service.untilOnly('ApiErrors', 'ApiSlow');
  await rename('professional_before', 'professional');
  expect((await firstClient().get('/v1/professionals')).status).toBe(200);
});

test('a table that stays locked while four clinics ask for it: all connections are taken, requests wait in line', async () => {
  const over = new AbortController();
  const statuses = new Set<number>();
  const callers: Promise<void>[] = [];
  const callOnAndOn = async (client: ApiClient) => {
    while (!over.signal.aborted) statuses.add((await client.get('/v1/professionals')).status);
  };
  await whileProfessionalsAreLocked(async () => {
    for (let calls = 0; calls < CALLERS; calls += 1) callers.push(...clients.map(callOnAndOn));
    await service.untilOnly('ApiErrors', 'ApiSlow', 'QueueLong');
    await service.untilOnly('ApiErrors', 'ApiSlow', 'ConnectionsExhausted', 'QueueLong');
  }).finally(() => over.abort());
  await Promise.all(callers);
  expect([...statuses]).toContain(503);
  await service.untilSilent('QueueLong');
  await service.untilSilent('ConnectionsExhausted');
});
