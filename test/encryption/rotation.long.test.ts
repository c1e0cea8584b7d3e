import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { keepSchedules } from '../../adapters/temporal/schedules.ts';
import { adminWith } from '../admin/admin-runs.ts';
import { aFleet, type Fleet, type Member } from '../rollout/fleet.ts';
import { aSteadyClinic } from '../rollout/steady-clinic.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { openable } from './stored-texts.ts';
import { forSuite } from '../support/for-suite.ts';

/** Of load before, between and after the steps: ten seconds. */
const ROUNDS = 50;

const surroundings = await forSuite(createWorkerSurroundings());
await surroundings.namespace.temporal.ask(keepSchedules);

let running: Member[] = [];

/** An API and a worker with this list of keys; the ones before leave once these are up. */
async function restartWith(encryptionKey: string, fleet: Fleet): Promise<void> {
  const before = running;
  running = [await fleet.startApi({ encryptionKey }), await fleet.startWorker({ encryptionKey })];
  expect(await Promise.all(before.map((member) => member.leave()))).toEqual(before.map(() => 0));
}

test('a new key comes, everything is sealed with it and the old one goes, beside 30 requests a second: no request and no delivery fails', async () => {
  const { databaseUrl } = surroundings;
  await using fleet = await aFleet(surroundings);
  const [older, newer] = [surroundings.encryptionKey, randomBytes(32).toString('base64')];
  const operator = (encryptionKey: string) =>
    adminWith({ DATABASE_URL: databaseUrl, ENCRYPTION_KEY: encryptionKey, SERVICE_MODE: 'test' });
  await restartWith(older, fleet);
  const clinic = await aSteadyClinic(surroundings, fleet.url);
  await clinic.rounds(ROUNDS);
  for (const list of [`${older},${newer}`, `${newer},${older}`]) {
    await restartWith(list, fleet);
    await clinic.rounds(ROUNDS);
  }
  const reencrypted = await operator(`${newer},${older}`)('secrets', 'reencrypt');
  expect(reencrypted).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"left": []') });
  await restartWith(newer, fleet);
  await clinic.rounds(ROUNDS);
  const { rounds } = await clinic.endWell();

  const [opened, all] = await openable(databaseUrl, [Buffer.from(newer, 'base64')]);
  expect(opened).toBe(all);
  expect(all).toBeGreaterThan(rounds * 4);
  expect(await openable(databaseUrl, [Buffer.from(older, 'base64')])).toEqual([0, all]);
  const { stdout } = await operator(newer)('doctor');
  const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
  expect(checks.find(({ name }) => name === 'encryption keys')).toMatchObject({
    ok: true,
    detail: expect.stringContaining(': encrypts the keys of 1 clinics'),
  });
});
