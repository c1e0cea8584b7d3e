import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { isTemporalUp } from '../../dev/temporal/choose-temporal.ts';
import { createCachedProbe } from '../../adapters/timing/cached-answer.ts';
import { createApiClient } from '../support/api-client.ts';
import { startTestApi } from '../support/servers/api-server.ts';
import { testEnvironment } from '../support/environment/test-environment.ts';
import { until } from '../support/until.ts';

describe('a part that is asked whether it is there', () => {
  test('is asked once, however many want to know, and again when a second has passed', async () => {
    let asked = 0;
    const probe = createCachedProbe(async () => {
      asked += 1;
      return true;
    });
    expect(await Promise.all([probe(), probe(), probe()])).toEqual([true, true, true]);
    expect([await probe(), asked]).toEqual([true, 1]);
    await until('the answer to be stale', async () => (await probe()) && asked > 1);
    expect(asked).toBe(2);
  });

  test('is not there while it says nothing, is not asked again meanwhile, and is there once it speaks', async () => {
    const answers: ((isUp: boolean) => void)[] = [];
    const probe = createCachedProbe(() => new Promise((resolve) => void answers.push(resolve)));
    expect([await probe(), await probe(), await probe(), answers.length]).toEqual([false, false, false, 1]);
    answers[0]?.(true);
    await until('it to be asked again', async () => {
      void probe();
      return answers.length === 2;
    });
    answers[1]?.(true);
    expect(await probe()).toBe(true);
  });
});

test('the service is not ready while its database hangs, and says so', async () => {
  const api = await startTestApi();
  const hanging = Object.assign(Object.create(api.database) as typeof api.database, {
    ping: () => new Promise<never>(() => undefined),
  });
  const second = await startTestApi({ database: hanging });
  const ready = await createApiClient(second.url, null).get('/health/ready');
  expect([ready.status, ready.body['status']]).toEqual([503, 'unavailable']);
  await Promise.all([second[Symbol.asyncDispose](), api[Symbol.asyncDispose]()]);
});

describe('Temporal', () => {
  test('is there when it answers, at once', async () => {
    expect(await isTemporalUp(testEnvironment('TEST_TEMPORAL_ADDRESS'))).toBe(true);
  });

  test('is not there when it takes connections and says nothing, or takes none', async () => {
    const silent = createServer((socket) => void socket.on('error', () => undefined).resume());
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    expect(await isTemporalUp(address)).toBe(false);
    silent.close();
    await once(silent, 'close');
    expect(await isTemporalUp(address)).toBe(false);
  });
});
