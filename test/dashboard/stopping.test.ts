import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { anyPort } from '../../dev/processes/free-port.ts';
import { argumentsOf } from '../../dev/processes/start-services.ts';
import { createTestDatabase } from '../support/database.ts';
import { callersEnvironment } from '../support/environment/callers-environment.ts';
import { until } from '../support/until.ts';
import { forSuite } from '../support/for-suite.ts';

const database = await forSuite(createTestDatabase());

/** `npm run dashboard`, as an orchestrator starts it: no channel leads back to anyone who did. */
async function startDashboard() {
  const port = await anyPort('127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
  const child = spawn(process.execPath, argumentsOf('dashboard'), {
    env: {
      ...callersEnvironment(),
      SERVICE_MODE: 'test',
      DATABASE_URL: database.url,
      PHONE_HASH_KEY: key(5),
      ENCRYPTION_KEY: key(6),
      DASHBOARD_PORT: String(port),
      DASHBOARD_URL: url,
      PUBLIC_URL: url,
      OIDC_ISSUER: 'https://identity.example.com',
      OIDC_CLIENT_ID: 'clinic',
      OIDC_CLIENT_SECRET: 'of this test',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  await until('the dashboard', async () => (await readiness(url))?.code === 200);
  return {
    url,
    async stop(): Promise<unknown> {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
  };
}

async function readiness(url: string) {
  try {
    const response = await fetch(`${url}/health/ready`);
    const { status } = (await response.json()) as { status: string };
    return { code: response.status, status, connection: response.headers.get('connection') };
  } catch {
    return null;
  }
}

test('a dashboard that is told to end says so to its proxy first, and serves what still comes', async () => {
  const dashboard = await startDashboard();
  const ended = dashboard.stop();
  const stopping = await until('readiness to fail', async () => {
    const found = await readiness(dashboard.url);
    return found?.code !== 200 && found;
  });
  expect(stopping).toEqual({ code: 503, status: 'stopping', connection: 'close' });
  const late = await fetch(`${dashboard.url}/`, { redirect: 'manual' });
  expect([late.status < 400, late.headers.get('connection')]).toEqual([true, 'close']);
  expect(await ended).toBe(0);
  expect(await readiness(dashboard.url)).toBeNull();
});
