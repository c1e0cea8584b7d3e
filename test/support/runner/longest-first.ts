import { createRequire } from 'node:module';
import type testSequencer from '@jest/test-sequencer';

const require = createRequire(import.meta.url);
const { default: Sequencer } = require('@jest/test-sequencer') as typeof testSequencer;

type Suites = Parameters<InstanceType<typeof Sequencer>['sort']>[0];

/** Each takes as long as a hundred others, but has a small file, by which Jest orders suites that it has not timed. */
const LONGEST = [
  'dashboard/forms/every-form',
  'dashboard/wrong-input',
  'worker/process',
  'clients/two-way-sync',
  'dev/launcher',
  'webhooks/first-attempts',
  'e2e/service',
  'dashboard/in-browser',
  'db/walls/foreign-ids',
  'attack/attack',
  'calls/recordings-in-s3',
  'demo/demo',
  'appointments/holds/hold-contention',
].map((name) => `/test/${name}.test.ts`);

/** Jest's order, with these first: started last, they would leave other workers idle. */
export default class LongestFirst extends Sequencer {
  override async sort(suites: Suites): Promise<Suites> {
    const sorted = await super.sort(suites);
    const longest = LONGEST.flatMap((end) => sorted.filter(({ path }) => path.endsWith(end)));
    return [...longest, ...sorted.filter((suite) => !longest.includes(suite))];
  }
}
