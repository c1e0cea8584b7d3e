import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '../../db/connection/open-database.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import type { RunningService } from '../../dev/data-directory/running-file.ts';
import {
  aDataDirectory,
  npmStart,
  untilNoProcessIsLeft,
  type StartedService,
} from '../dev/started-service.ts';

const START_LIMIT_MS = 180_000;

let own: { path: string; remove: () => Promise<void> };
let service: StartedService;
let running: RunningService;

beforeAll(async () => {
  own = await aDataDirectory();
  service = npmStart(own.path);
  running = await service.untilRunning();
}, START_LIMIT_MS);

afterAll(async () => {
  process.kill(running.pid, 'SIGTERM');
  await service.exitCode;
  await untilNoProcessIsLeft(running);
  await own.remove();
}, START_LIMIT_MS);

test(
  'the demo shows every delivery with its signature verified, the failed ones too, and leaves no endpoint',
  async () => {
    const { exitCode, output } = await runDemo(own.path);
    expect(output).not.toContain('WRONG');
    expect(exitCode).toBe(0);
    const arrivals = output.split('\n').filter((line) => line.includes('←'));
    expect(arrivals.map(factsOf).sort()).toEqual(
      [
        '/pms appointment.created 1 200',
        '/pms appointment.attended 1 200',
        '/pms appointment.created 1 200',
        '/pms appointment.cancelled 1 200',
        '/pms appointment.created 1 200',
        '/crm appointment.created 1 503',
        '/crm appointment.created 2 503',
        '/crm appointment.created 3 200',
        '/pms appointment.cancelled 1 200',
        '/crm appointment.cancelled 1 200',
      ].sort(),
    );
    for (const arrival of arrivals) expect(arrival).toContain('signature verified');
    expect(await endpointsLeft()).toEqual([]);
  },
  START_LIMIT_MS,
);

test('without a running service the demo says how to start one and exits 1', async () => {
  const { exitCode, output } = await runDemo(`${own.path}/nothing-here`);
  expect(exitCode).toBe(1);
  expect(output).toContain('npm start');
});

async function runDemo(dataDirectory: string): Promise<{ exitCode: number | null; output: string }> {
  const { NODE_OPTIONS: _jestsOwn, ...environment } = process.env;
  const child = spawn('npm', ['run', '--silent', 'demo'], {
    cwd: PROJECT_ROOT,
    env: { ...environment, DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  await once(child, 'close');
  return { exitCode: child.exitCode, output };
}

function factsOf(line: string): string {
  const [, path, type, attempt, status] = /← (\S+) +(\S+) +attempt (\d).*answered (\d+)/.exec(line) ?? [];
  return `${path} ${type} ${attempt} ${status}`;
}

async function endpointsLeft(): Promise<unknown[]> {
  await using database = await openDatabase({ url: running.databaseUrl, applicationName: 'test' });
  return database.em().execute('SELECT url FROM webhook_endpoint WHERE deleted_at IS NULL');
}
