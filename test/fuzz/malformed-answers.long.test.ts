import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { postToBrokenReceiver } from './malformed-answers.ts';

const COUNT = Number(process.env['FUZZ_COUNT'] ?? 100_000);
/** `FUZZ_SEED=7 FUZZ_COUNT=1000 npm run test:long -- test/fuzz/malformed-answers`: the same answers again, or fewer. */
const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(1_000_000));
const TIMEOUT_MS = 1_800_000;

test(
  `${COUNT} malformed answers are outcomes, each within its deadline (seed ${SEED})`,
  async () => {
    const outcomes = await postToBrokenReceiver(SEED, COUNT);
    expect(outcomes.size).toBeGreaterThan(4);
    process.stderr.write(`FUZZ_SEED=${SEED} ${JSON.stringify(Object.fromEntries(outcomes))}\n`);
  },
  TIMEOUT_MS,
);
