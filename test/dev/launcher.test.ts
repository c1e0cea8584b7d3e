import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { EXAMPLE_IDS } from '../../dev/first-clinic/example-ids.ts';
import { commandLine, processIdentity } from '../../dev/processes/process-identity.ts';
import {
  aDataDirectory,
  kill,
  npmStart,
  processesLeft,
  untilNoProcessIsLeft,
} from '../support/servers/npm-start.ts';
import { until } from '../support/until.ts';
import { startService } from '../support/servers/service.ts';

/** Whole starts take seconds each, so the tests share them and run in the order in which they stand. */

const appointments = z.object({ items: z.array(z.object({ id: z.string() })) });

let appointmentId: string;

const directory = await aDataDirectory();
let service = npmStart(directory.path);
const starting = startService();
let running = await service.untilRunning();
const beside = await starting;
await service.untilOutput('Ctrl-C stops everything');

afterAll(async () => {
  service.signal('SIGTERM');
  await service.exitCode;
  await directory.remove();
});

/** What the printed `curl` would send. */
function printedBooking(output: string): { url: string; init: RequestInit } {
  const [, url = '', key = '', body = ''] =
    /curl -sS -X POST (\S+) \\\s+-H 'Authorization: (Bearer \S+)' \\\s+-H .* \\\s+-d '(.*)'/.exec(output) ??
    [];
  return {
    url,
    init: { method: 'POST', headers: { authorization: key, 'content-type': 'application/json' }, body },
  };
}

async function listAppointments(url: string): Promise<string[]> {
  const { init } = printedBooking(service.output());
  const answer = await fetch(url, { headers: init.headers ?? {} });
  return appointments.parse(await answer.json()).items.map(({ id }) => id);
}

test('the printed command books an appointment', async () => {
  const { url, init } = printedBooking(service.output());
  const answer = await fetch(url, init);
  const body: unknown = await answer.json();
  expect([answer.status, body]).toEqual([201, expect.objectContaining({ status: 'confirmed' })]);
  appointmentId = z.object({ id: z.string() }).parse(body).id;
});

test('of the printed keys the first is what a PMS needs, and the clinic is that of the examples', async () => {
  const keys = service.output().match(/svc_test_\S+/g) ?? [];
  const { url } = printedBooking(service.output());
  const ask = async (key: string | undefined, path: string) => {
    const answer = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${key}` } });
    return (await answer.json()) as Record<string, unknown>;
  };
  expect((await ask(keys[0], '/v1/api-keys/me'))['scopes']).not.toContain('keys:write');
  expect((await ask(keys[1], '/v1/api-keys/me'))['scopes']).toContain('keys:write');
  expect(await ask(keys[0], '/v1/tenants/me')).toMatchObject({ id: EXAMPLE_IDS.tenant });
  const { items } = await ask(keys[0], '/v1/services');
  expect(items).toContainEqual(expect.objectContaining({ id: EXAMPLE_IDS.service, name: 'Check-up' }));
});

test('the printed addresses answer', async () => {
  const { apiUrl, temporalUiUrl, metricsUrl, apiMetricsUrl, dashboardMetricsUrl } = running;
  const metrics = [metricsUrl, apiMetricsUrl, dashboardMetricsUrl ?? ''];
  for (const address of [`${apiUrl}/health`, temporalUiUrl ?? '', ...metrics]) {
    expect((await fetch(address)).status).toBe(200);
  }
});

test('the ranges that webhooks may reach besides public addresses are announced, loudly in the logs', async () => {
  expect(service.output()).toContain('127.0.0.0/8, ::1/128 (WEBHOOK_ALLOWED_CIDRS)');
  for (const name of ['api', 'worker']) {
    const log = await readFile(join(directory.path, 'logs', `${name}.log`), 'utf8');
    const [announcement] = log.split('\n').filter((line) => line.includes('private_addresses_allowed'));
    expect(JSON.parse(announcement ?? '{}')).toMatchObject({
      level: 'warn',
      allowedCidrs: ['127.0.0.0/8', '::1/128'],
    });
  }
});

test('a second start on the same data directory refuses and leaves the first alone', async () => {
  const second = npmStart(directory.path);
  expect(await second.exitCode).toBe(1);
  expect(second.output()).toContain(`in use by the service with process id ${running.pid}`);
  expect((await fetch(`${running.apiUrl}/health`)).status).toBe(200);
});

test('services that start at the same moment take ports of their own, and each is well', async () => {
  for (const part of [
    'apiUrl',
    'databaseUrl',
    'temporalAddress',
    'metricsUrl',
    'apiMetricsUrl',
    'dashboardMetricsUrl',
  ] as const) {
    expect(portOf(beside.running()[part])).not.toBe(portOf(running[part]));
  }
  expect(await beside.admin('doctor')).toMatchObject({ ok: true });
});

test('SIGTERM stops one of two services alone, wholly', async () => {
  const stopped = beside.running();
  beside.npm.signal('SIGTERM');
  expect(await beside.npm.exitCode).toBe(0);
  expect(processesLeft(stopped)).toEqual([]);
  expect(existsSync(join(beside.dataDirectory, 'running.json'))).toBe(false);
  expect(processesLeft(running)).toHaveLength(7);
  await beside[Symbol.asyncDispose]();
});

/** Of an address with or without a scheme. */
function portOf(address: string | null): string | undefined {
  return address?.match(/:(\d+)(?:\/[^:]*)?$/)?.[1];
}

test.each(['api', 'worker', 'dashboard', 'identity', 'temporal', 'postgres'] as const)(
  'the %s process, when killed, is started again and announced',
  async (part) => {
    const killed = running.pids[part];
    kill(killed ?? 0, 'SIGKILL');
    running = await service.untilRunning(({ pids }) => pids[part] !== killed && pids[part] !== null);
    expect(await listAppointments(`${running.apiUrl}/v1/appointments`)).toContain(appointmentId);
  },
);

/** A process of PostgreSQL's account that has ended and that its parent, like process 1 of many containers, does not collect. */
async function anUncollectedProcess({ uid, gid }: { uid: number; gid: number }) {
  const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 900'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    uid,
    gid,
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line);
  // The shell would collect it; what it becomes does not.
  await until('the shell to be replaced', () => commandLine(parent.pid ?? 0).startsWith('sleep'));
  kill(pid, 'SIGKILL');
  await until('its end', () => processIdentity(pid) === null);
  return { pid, [Symbol.dispose]: () => void parent.kill() };
}

test('when the launcher is killed its children go too, and the next start finds everything, even if no one collects a killed PostgreSQL', async () => {
  kill(running.pid, 'SIGKILL');
  await untilNoProcessIsLeft(running);
  const killed = running.pid;
  const files = join(directory.path, 'postgres');
  using postgres = await anUncollectedProcess(await stat(files));
  await writeFile(join(files, 'postmaster.pid'), `${postgres.pid}\n`);

  service = npmStart(directory.path);
  running = await service.untilRunning(({ pid }) => pid !== killed);
  await service.untilOutput('Ctrl-C stops everything');
  expect(await listAppointments(`${running.apiUrl}/v1/appointments`)).toContain(appointmentId);
});

test('a data directory that is emptied ends the service, with words and no process left', async () => {
  for (const name of await readdir(directory.path)) {
    // What still runs there may write or remove files at the same moment.
    await rm(join(directory.path, name), { recursive: true, force: true, maxRetries: 10 });
  }
  expect(await service.exitCode).toBe(1);
  expect(service.output()).toContain(`The data directory ${directory.path} was removed or emptied`);
  expect(service.output()).not.toMatch(/^ +at /m);
  expect(processesLeft(running)).toEqual([]);
});
