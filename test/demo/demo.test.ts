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
