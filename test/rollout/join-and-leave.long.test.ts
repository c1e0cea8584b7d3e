import { expect, test } from '@jest/globals';
import { keepSchedules } from '../../adapters/temporal/schedules.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { aFleet } from './fleet.ts';
import { aSteadyClinic } from './steady-clinic.ts';
import { forSuite } from '../support/for-suite.ts';

/** Five seconds of load before, between and after what happens. */
const ROUNDS = 50;

const surroundings = await forSuite(createWorkerSurroundings());
await surroundings.namespace.temporal.ask(keepSchedules);

test('API and worker processes join and leave beside 50 requests a second: none fails, each delivery is made once', async () => {
  await using fleet = await aFleet(surroundings);
  const first = [await fleet.startApi(), await fleet.startWorker()];
  const clinic = await aSteadyClinic(surroundings, fleet.url);
  await clinic.rounds(ROUNDS);
  const second = [await fleet.startApi(), await fleet.startWorker()];
  await clinic.rounds(ROUNDS);
  for (const member of first) {
    expect(await member.leave()).toBe(0);
    await clinic.rounds(ROUNDS);
  }
  const third = [await fleet.startApi(), await fleet.startWorker()];
  for (const member of second) {
    expect(await member.leave()).toBe(0);
    await clinic.rounds(ROUNDS);
  }
  await clinic.endWell();
  for (const member of third) expect(await member.leave()).toBe(0);
});
