import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { EXAMPLE_IDS } from '../../dev/first-clinic/example-ids.ts';
import { createTestAuthority } from '../support/servers/certificates.ts';
import { aDataDirectory, npmRun, npmStart, untilNoProcessIsLeft } from '../support/servers/npm-start.ts';
import { openDatabaseAt } from '../support/database.ts';

const own = await aDataDirectory();
// Anyone who trusts authorities of their own can still try the demo.
const caFile = join(own.path, 'own-ca.pem');
await writeFile(caFile, (await createTestAuthority()).caPem);
const service = npmStart(own.path, { environment: { WEBHOOK_CA_FILE: caFile } });
const running = await service.untilRunning();

afterAll(async () => {
  service.signal('SIGTERM');
  await service.exitCode;
  await untilNoProcessIsLeft(running);
  await own.remove();
});

test('the demo shows every delivery with its signature verified, the failed ones too, and leaves no endpoint', async () => {
  const demo = npmRun('demo', own.path);
  expect(await demo.exitCode).toBe(0);
  expect(demo.output()).not.toContain('WRONG');
  const arrivals = demo
    .output()
    .split('\n')
    .filter((line) => line.includes('←'));
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
});

test('the demo of a call shows what is said, the requests and the webhooks as they happen, and leaves no endpoint', async () => {
  const demo = npmRun('demo', own.path, { args: ['--call'] });
  const exitCode = await demo.exitCode;
  const output = demo.output();
  expect([exitCode, output]).toEqual([0, expect.not.stringContaining('WRONG')]);
  const order = [
    'PUT /v1/calls/{id} →',
    '← /phone call.started ',
    'GET /v1/calls/{id}/briefing →',
    'Voice: “Clínica Sorriso. I am an AI assistant.',
    'POST /v1/availability/search →',
    'POST /v1/slot-holds →',
    'Caller: “Yes, please.”',
    'POST /v1/appointments →',
    'Voice: “It is booked. Goodbye!”',
    'POST /v1/calls/{id}/complete →',
    '← /phone call.completed ',
  ];
  const places = order.map((text) => output.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places.slice(2)).toEqual(places.slice(2).toSorted((one, other) => one - other));
  const arrivals = output.split('\n').filter((line) => line.includes('←'));
  expect(arrivals.map(factsOf).sort()).toEqual([
    '/phone appointment.cancelled 1 200',
    '/phone appointment.created 1 200',
    '/phone call.completed 1 200',
    '/phone call.started 1 200',
  ]);
  expect(await endpointsLeft()).toEqual([]);
  const id = /\/calls\/([0-9a-f-]{36})/.exec(output)?.[1] ?? '';
  await using database = await openDatabaseAt(running.databaseUrl);
  const call = 'SELECT status, outcome, recording_consent, language FROM call WHERE id = ?';
  expect(await database.em().execute(call, [id])).toEqual([
    { status: 'completed', outcome: 'booking_created', recording_consent: 'given', language: 'en' },
  ]);
});

test('without a running service the demo says how to start one and exits 1', async () => {
  const demo = npmRun('demo', `${own.path}/nothing-here`);
  expect(await demo.exitCode).toBe(1);
  expect(demo.output()).toContain('npm start');
});

test('Ctrl-C in the middle of the demo leaves no endpoint either', async () => {
  const demo = npmRun('demo', own.path, { ownGroup: true });
  await demo.untilOutput('A second receiver fails');
  demo.pressCtrlC();
  expect(await demo.exitCode).toBe(1);
  expect(demo.output()).toContain('Interrupted.');
  expect(await endpointsLeft()).toEqual([]);
});

function factsOf(line: string): string {
  const [, path, type, attempt, status] = /← (\S+) +(\S+) +attempt (\d).*answered (\d+)/.exec(line) ?? [];
  return `${path} ${type} ${attempt} ${status}`;
}

/** Besides the one of the examples. */
async function endpointsLeft(): Promise<unknown[]> {
  await using database = await openDatabaseAt(running.databaseUrl);
  const left = 'SELECT url FROM webhook_endpoint WHERE deleted_at IS NULL AND id <> ?';
  return database.em().execute(left, [EXAMPLE_IDS.endpoint]);
}
