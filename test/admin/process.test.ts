import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from '@jest/globals';
import { keepSchedules } from '../../adapters/temporal/schedules.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { callersEnvironment } from '../support/environment/callers-environment.ts';
import { createTestDatabase } from '../support/database.ts';
import { createTestNamespace } from '../worker/test-namespace.ts';
import { adminProcessWith, adminWith, answerOf, idOf } from './admin-runs.ts';
import { forSuite } from '../support/for-suite.ts';

const [testDatabase, namespace] = await Promise.all([forSuite(createTestDatabase()), createTestNamespace()]);
await namespace.temporal.ask(keepSchedules);
const directory = await mkdtemp(join(tmpdir(), 'admin-test-'));

afterAll(async () => {
  await rm(directory, { recursive: true });
  await namespace.temporal[Symbol.asyncDispose]();
});

describe('the process', () => {
  test('prints one JSON document and exits 0', async () => {
    const admin = adminProcessWith({ DATABASE_URL: testDatabase.url });
    const run = await admin('tenant', 'create', '--name', 'Clínica Sol', '--specialty', 'dental');
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toMatchObject({ name: 'Clínica Sol' });
  });

  test('exits 2 for a usage error and 1 for a failure, with nothing on stdout', async () => {
    const admin = adminProcessWith({ DATABASE_URL: testDatabase.url });
    expect(await admin('tenant', 'create')).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await admin()).toMatchObject({ exitCode: 2, stdout: '' });
    const unknown = '00000000-0000-7000-8000-000000000000';
    expect(await admin('tenant', 'show', '--tenant', unknown)).toMatchObject({ exitCode: 1, stdout: '' });
  });

  test('says in one line that the reader of its output has gone, and exits 1', async () => {
    const child = spawn(process.execPath, ['admin/main.ts', 'tenant', 'list'], {
      cwd: PROJECT_ROOT,
      env: { ...callersEnvironment(), DATABASE_URL: testDatabase.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([child.exitCode, stderr]).toEqual([1, 'The output could not be written completely: EPIPE\n']);
  });

  test('shows its help on stdout and exits 0', async () => {
    const run = await adminProcessWith({})('service', 'create', '--help');
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain('--duration <minutes>');
  });
});

describe('the service on this machine', () => {
  test('is found by running.json, and its keys by keys.json, when DATABASE_URL is not set', async () => {
    await describeRunningService('live');
    const admin = adminWith({ DATA_DIR: directory, DATABASE_URL: '' });
    const clinic = idOf(await answerOf(admin('tenant', 'create', '--name', 'N', '--specialty', 'other')));
    const { key } = await answerOf(admin('key', 'create', '--tenant', clinic));
    expect(key).toMatch(/^svc_live_/);
    const { checks } = JSON.parse((await admin('doctor')).stdout) as {
      checks: { name: string; ok: boolean }[];
    };
    // What it looks for is found; no one has started a worker.
    expect(checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['workers']);
  });

  test('lets a sandbox reach receivers on this machine and a live one not', async () => {
    const admin = adminWith({ DATA_DIR: directory });
    await describeRunningService('test');
    const clinic = idOf(await answerOf(admin('tenant', 'create', '--name', 'N', '--specialty', 'other')));
    const words = ['endpoint', 'create', '--tenant', clinic, '--url', 'https://localhost:9443/hook'];
    expect(await admin(...words)).toMatchObject({ exitCode: 0 });
    await describeRunningService('live');
    expect(await admin(...words)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('public') });
  });

  test('is missed with a message that says what to do', async () => {
    const run = await adminWith({ DATA_DIR: join(directory, 'none') })('tenant', 'list');
    expect(run).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('npm start') });
  });

  test('whose database is gone is a failure that shows no password', async () => {
    const admin = adminWith({ DATABASE_URL: 'postgresql://someone:word@127.0.0.1:1/none' });
    const run = await admin('tenant', 'list');
    expect(run).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('127.0.0.1:1') });
    expect(run.stderr).not.toContain('word');
  });

  test('and an unusable DATABASE_URL is named without its value', async () => {
    const run = await adminWith({ DATABASE_URL: 'mysql://word@nowhere' })('tenant', 'list');
    expect(run).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('DATABASE_URL') });
    expect(run.stderr).not.toContain('word');
  });
});

async function describeRunningService(serviceMode: 'live' | 'test'): Promise<void> {
  const running = {
    serviceMode,
    databaseUrl: testDatabase.url,
    temporalAddress: namespace.address,
    temporalNamespace: namespace.namespace,
  };
  const keys = {
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    phoneHashKey: Buffer.alloc(32, 8).toString('base64'),
  };
  await writeFile(join(directory, 'running.json'), JSON.stringify(running));
  await writeFile(join(directory, 'keys.json'), JSON.stringify(keys));
}
