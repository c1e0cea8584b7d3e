import { expect, test } from '@jest/globals';
import type { PoolLoad } from '../../db/connection/open-pool.ts';
import { openGuestDatabase } from '../../dashboard/start.ts';
import { openDatabase } from '../../db/connection/open-database.ts';
import { WORKER_DATABASE } from '../../worker/run-worker.ts';
import { rowsUnder, textOf } from '../docs/pages.ts';
import { TEST_SEALING } from '../support/sealing.ts';
import { compose, environmentOf } from './compose-file.ts';
import { forSuite } from '../support/for-suite.ts';

/** Nothing answers there: no connection is opened before it is needed. */
const NOWHERE = 'postgresql://nobody@127.0.0.1:1/none';
/** Frontend, history, matching and worker, each with pools of its own. */
const SERVICES_OF_TEMPORAL = 4;
/** The outbox's listener. */
const LISTENERS = 1;
/** What wakes the outbox, over the one pool of public pages that serves nothing else. */
const NOTIFIERS = 1;
/** The lock, the migrator's, and that of the rights. */
const OF_MIGRATE = 3;
/** PostgreSQL's `superuser_reserved_connections`. */
const RESERVED = 3;

const common = { url: NOWHERE, sealing: TEST_SEALING };
const served = await forSuite(openDatabase({ ...common, applicationName: 'test' }));
const guests = await forSuite(openGuestDatabase({ database: common }, TEST_SEALING));
const worker = await forSuite(openDatabase({ ...common, ...WORKER_DATABASE }));

const rows = rowsUnder(textOf('docs/operations/connections.md'), 'part').filter(([, each]) =>
  /^\d*$/.test(each ?? '-'),
);
const row = (part: string) => {
  const [, each, count, together] = rows.find(([name]) => name === part) ?? [];
  return { each: Number(each), count: Number(count), together: Number(together) };
};
const sizeOf = ({ pools }: { pools: PoolLoad[] }, names: string[]) =>
  pools.filter(({ pool }) => names.includes(pool)).reduce((sum, { size }) => sum + size, 0);
const replicasOf = (service: string) => compose.services[service]?.deploy?.replicas ?? 1;

test('the table says what each part may hold', () => {
  const ofRequests = sizeOf(served.load(), ['clinics', 'default', 'admission']);
  const ofGuests = sizeOf(guests.load(), ['clinics', 'admission']) + NOTIFIERS;
  expect([row('API').each, row('dashboard').each]).toEqual([ofRequests, ofRequests + ofGuests]);
  expect(row('worker').each).toBe(sizeOf(worker.load(), ['default', 'outbox', 'admission']) + LISTENERS);
  const temporal = environmentOf('temporal');
  const ofEach = Number(temporal['SQL_MAX_CONNS']) + Number(temporal['SQL_VIS_MAX_CONNS']);
  expect(row('Temporal').each).toBe(SERVICES_OF_TEMPORAL * ofEach);
  expect(row('migrate').each).toBe(OF_MIGRATE);
  expect(row('reserved for superusers').each).toBe(RESERVED);
});

test.each([
  ['API', 'api'],
  ['dashboard', 'dashboard'],
  ['worker', 'worker'],
])('the table counts every %s that compose runs, and one more while an update goes on', (name, service) => {
  expect(row(name).count).toBe(replicasOf(service) + 1);
});

test('all of them together are as many as the table says, and PostgreSQL takes them', () => {
  const parts = rows.filter(([name]) => name !== 'all').map(([name = '']) => row(name));
  for (const { each, count, together } of parts) expect(together).toBe(each * count);
  const all = parts.reduce((sum, { together }) => sum + together, 0);
  expect(row('all').together).toBe(all);
  const [, most] = /max_connections=(\d+)/.exec(compose.services['postgres']?.command?.join(' ') ?? '') ?? [];
  expect(all).toBeLessThanOrEqual(Number(most));
});
