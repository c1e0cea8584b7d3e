import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const ROOMS =
  '{activities,adapters,admin,api,commands,dashboard,db,docs-site,domain,pages,sending,worker}/**/*.ts';
const READS_CLOCK = /new Date\(\)|Date\.now\b|DateTime\.(now|local|utc)\(\)/;

/** Files that read the clock of their process, and why it does no harm there: nothing of it is written to a row or compared with one. */
const HARMLESS: Record<string, string> = {
  'adapters/temporal/connect-temporal.ts': 'the deadline of a call',
  'adapters/temporal/running-workflows.ts': 'the deadline of a call',
  'adapters/temporal/task-queue-pollers.ts': 'how long ago Temporal heard of pollers, in minutes',
  'adapters/timing/moment.ts': 'how long something took',
  'admin/run-admin.ts': 'while the database is away',
  'commands/follow-database-clock.ts': 'while the database is away',
  'db/patient-reads/patient-reads.ts': 'ids of reads are made of it too; they are kept for a year',
  'docs-site/programs/connector.ts': 'the age of a signature, in a vendor’s process',
  'worker/metrics/temporal-gauges.ts': 'the deadline of a call, and how long ago a schedule ran',
  'worker/run-worker.ts': 'the deadline of a call',
  'worker/temporal/carry-out.ts': 'the deadline of a call',
};

test('rows are dated by, and compared with, the database’s clock alone', () => {
  const reading = globSync(ROOMS).filter((path) => READS_CLOCK.test(readFileSync(path, 'utf8')));
  expect(reading.toSorted()).toEqual(Object.keys(HARMLESS));
});
