import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { aStartedCall } from '../../calls/call-builders.ts';
import { AUDIO, uploadTo } from '../../calls/recording-builders.ts';
import { createApiClient, type ApiAnswer } from '../../support/api-client.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { inHours } from '../../support/clinic.ts';
import { createTestDatabase } from '../../support/database.ts';
import { startOwnPostgres } from '../../support/environment/test-postgres.ts';
import { until } from '../../support/until.ts';
import { forSuite } from '../../support/for-suite.ts';

const postgres = await forSuite(startOwnPostgres());
const api = await suiteApi(
  { limits: { areDisabled: false, trustedHops: 0 } },
  await createTestDatabase(postgres.templateUrl),
);
const callId = await aStartedCall(api.client);

/** Every process of the server stands still, as on a machine that hangs: connections are taken, and nothing is said. */
async function freeze(): Promise<{ thaw(): void }> {
  const [postmaster = ''] = (
    await readFile(join(postgres.directory, 'postgres', 'postmaster.pid'), 'utf8')
  ).split('\n');
  // From now on none is added to those that are found. Some of them do not stand in pg_stat_activity yet.
  process.kill(Number(postmaster), 'SIGSTOP');
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,pid=']);
  const processes = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const backends = processes.flatMap(([parent, pid]) => (parent === postmaster ? [Number(pid)] : []));
  const pids = [Number(postmaster), ...backends];
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return {
    thaw() {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    },
  };
}

let nextHour = 1;

function aBooking() {
  return {
    professionalId: api.clinic.professionalIds[0],
    serviceTypeId: api.clinic.serviceTypeId,
    patientName: 'Ana Martins',
    patientPhone: '+351912345678',
    startsAt: inHours(nextHour++).toISOString(),
  };
}

/** Eleven kinds of requests, each of which needs the database. */
async function requestsOfAllKinds(): Promise<(() => Promise<ApiAnswer>)[]> {
  const client = createApiClient(api.url, await api.keyOf());
  const nobody = createApiClient(api.url, null);
  const phone = { patientPhone: '+351912345678' };
  return [
    () => client.get('/v1/appointments'),
    () => client.get('/v1/professionals'),
    () => client.get('/v1/webhook-deliveries'),
    () => client.get(`/v1/appointments/${uuidv7()}`),
    () => client.post('/v1/appointments', aBooking()),
    () => client.post('/v1/appointments', aBooking(), { 'idempotency-key': uuidv7() }),
    () => client.post('/v1/appointments/search', phone),
    () => client.patch('/v1/tenants/me', { name: `Clínica ${uuidv7()}` }),
    () => client.delete(`/v1/appointments/${uuidv7()}`),
    () => uploadTo(client, callId, { audio: AUDIO }),
    () => nobody.get('/v1/services'),
  ];
}

/** Of each kind as many as a clinic may upload recordings at once. */
async function manyRequests(): Promise<(() => Promise<ApiAnswer>)[]> {
  const rounds = await Promise.all(Array.from({ length: 4 }, requestsOfAllKinds));
  return rounds.flat();
}

function sendAll(requests: readonly (() => Promise<ApiAnswer>)[]): Promise<ApiAnswer[]> {
  return Promise.all(requests.map((send) => send()));
}

test('while PostgreSQL is frozen everyone is told to come back, and afterwards all is well', async () => {
  const [before, frozen, after] = [await manyRequests(), await manyRequests(), await manyRequests()];
  const alive = createApiClient(api.url, null);
  const caught = sendAll(before);
  const { thaw } = await freeze();
  try {
    const answers = await sendAll(frozen);
    for (const { status, body, headers } of answers) {
      expect([status, body['error'], body]).toEqual([503, 'temporarily_unavailable', body]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await alive.get('/health')).status).toBe(200);
    // For a second it may still tell what it found before.
    await until('readiness to fail', async () => (await alive.get('/health/ready')).status === 503);
    // What was under way when it froze was done, or is told the same.
    for (const { status } of await caught) expect([200, 201, 401, 404, 503]).toContain(status);
  } finally {
    thaw();
  }
  await until('the service to be ready', async () => (await alive.get('/health/ready')).status === 200);
  const statuses = (await sendAll(after)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 201, 401, 404]));
});
