import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { createTestDatabase } from '../support/database.ts';
import { forSuite } from '../support/for-suite.ts';
import { runToEnd } from '../support/servers/run-to-end.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { aFleet, type Fleet, type Member } from './fleet.ts';
import { aSteadyClinic } from './steady-clinic.ts';
import { expectSharedWorkflows } from './workflow-tasks.ts';

/** The old version, as `npm run test:update` names it; by default, both are today's sources. */
const OLD = process.env['ROLLOUT_FROM'] ?? PROJECT_ROOT;
const FIVE_SECONDS = 25;
const A_MINUTE = 300;
/** Ten processes start one after the other, and a slow machine asks more slowly. */
const LIMIT_MS = 1_800_000;

const stored = await forSuite(createTestDatabase(undefined, 'template0'));
await migrate(OLD);
const surroundings = await forSuite(createWorkerSurroundings(stored.url));
await setUpTemporal(OLD);

test(
  'an update beside 30 requests a second, forward, back and forward: none fails, each event arrives once, each timer runs',
  async () => {
    await using fleet = await aFleet(surroundings);
    const old = await start(fleet, OLD);
    const clinic = await aSteadyClinic(surroundings, fleet.url, OLD);
    await clinic.rounds(FIVE_SECONDS);
    await migrate(PROJECT_ROOT);
    await setUpTemporal(PROJECT_ROOT);
    await clinic.rounds(FIVE_SECONDS);
    const replace = async (leaving: Member[], directory: string, isHeld: boolean, rounds = FIVE_SECONDS) => {
      const members = await start(fleet, directory, isHeld);
      await clinic.rounds(rounds);
      for (const member of leaving) {
        expect(await member.leave()).toBe(0);
        await clinic.rounds(FIVE_SECONDS);
      }
      return members;
    };
    const held = await replace(old, PROJECT_ROOT, true, A_MINUTE);
    const oldAgain = await replace(held, OLD, false);
    const heldAgain = await replace(oldAgain, PROJECT_ROOT, true);
    const last = await replace(heldAgain, PROJECT_ROOT, false);
    await clinic.endWell();
    await expectSharedWorkflows(surroundings);
    for (const member of last) expect(await member.leave()).toBe(0);
  },
  LIMIT_MS,
);

/** A worker and an API. */
async function start(fleet: Fleet, directory: string, isHeld = false): Promise<Member[]> {
  return [await fleet.startWorker({ directory, isHeld }), await fleet.startApi({ directory })];
}

/** `npm run migrate` */
function migrate(directory: string): Promise<void> {
  return succeed('admin/migrate-main.ts', { DATABASE_URL: stored.url }, directory);
}

/** `npm run temporal:setup` */
function setUpTemporal(directory: string): Promise<void> {
  const { address, namespace } = surroundings.namespace;
  const env = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
  return succeed('worker/setup-main.ts', env, directory);
}

async function succeed(...command: Parameters<typeof runToEnd>): Promise<void> {
  const { code, said } = await runToEnd(...command);
  if (code !== 0) throw new Error(`${command[0]} ended with ${code}: ${said}`);
}
