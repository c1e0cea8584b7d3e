import { createRequire } from 'node:module';
import type testSequencer from '@jest/test-sequencer';

const require = createRequire(import.meta.url);
const { default: Sequencer } = require('@jest/test-sequencer') as typeof testSequencer;

type Suites = Parameters<InstanceType<typeof Sequencer>['sort']>[0];

/** Each takes as long as many others, but has a small file, by which Jest orders suites that it has not timed. */
const LONGEST = [
  'dashboard/forms/every-form',
  'dev/launcher',
  'e2e/service',
  'worker/process',
  'webhooks/first-attempts',
  'dashboard/in-browser',
  'clients/two-way-sync',
  'attack/attack',
  'admin/vendor-check',
  'db/walls/logins',
  'dashboard/wrong-input',
  'dashboard/appointments/day',
  'outbox/worker-lease',
  'webhooks/paused-deliveries',
  'reconcile/reconcile',
  'clients/connector-outage',
  'demo/demo',
  'db/walls/foreign-ids',
  'calls/recordings-in-s3',
].map((name) => `/test/${name}.test.ts`);

/** Jest's order, with these first: started last, they would leave other workers idle. */
export default class LongestFirst extends Sequencer {
  override async sort(suites: Suites): Promise<Suites> {
    const sorted = await super.sort(suites);
    const longest = LONGEST.flatMap((end) => sorted.filter(({ path }) => path.endsWith(end)));
    return [...longest, ...sorted.filter((suite) => !longest.includes(suite))];
  }
}
