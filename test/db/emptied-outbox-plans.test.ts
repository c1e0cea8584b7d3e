import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { openDatabase, type EntityManager } from '../../db/connection/open-database.ts';
import { claimAttempted, confirmClaims } from '../../db/outbox/claim-deliveries.ts';
import { claimFirstAttempts, NOTHING_PASSED } from '../../db/outbox/claim-first-attempts.ts';
import { claimMessages, claimTimers } from '../../db/outbox/claim-messages.ts';
import { deleteClaimed } from '../../db/outbox/settle-messages.ts';
import { aClinic, anEndpoint } from '../support/clinic.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { aLease } from '../support/leases.ts';
import { insertDeliveryRows } from '../support/waiting-deliveries.ts';
import { pagesFor } from './pages-read.ts';
import { TEST_SEALING } from '../support/sealing.ts';

/** Of deliveries and of timers, together on more than 400 pages. */
const WAITING = 3000;
/** Planning alone reads a page of each index. */
const MOST_PAGES = 150;

/** Uses of a connection after which its plans are new and stay for as many again. */
const USES = 17;

let testDatabase: TestDatabase;
let pool: Pool;
let clinicId: string;
let endpointId: string;
let workerId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await using database = await openDatabase({
    sealing: TEST_SEALING,
    url: testDatabase.url,
    applicationName: 'test',
  });
  pool = new Pool({ connectionString: testDatabase.url, max: 1 });
  ({ tenantId: clinicId } = await aClinic(database));
  endpointId = await anEndpoint(database, clinicId);
  workerId = await aLease(database.em());
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

/** PostgreSQL gives the pages of an emptied table back, and plans for one that has none. */
async function emptyOutbox(): Promise<void> {
  await pool.query('DELETE FROM outbox');
  await pool.query('VACUUM (ANALYZE) outbox');
  const { rows } = await pool.query(`SELECT pg_relation_size('outbox') AS bytes`);
  expect(rows).toEqual([{ bytes: '0' }]);
}

/** So many deliveries and timers come into the outbox, and a few messages of other kinds. */
async function ask(em: EntityManager, count: number): Promise<void> {
  await insertDeliveryRows(em, { clinicId, endpointId }, count);
  await pool.query(
    `INSERT INTO outbox (ordering_key, message, due_at)
     SELECT 'timer ' || i, '{"kind": "startNoShow"}', now() + interval '1 day'
     FROM generate_series(1, $1) AS i`,
    [count],
  );
  await pool.query(
    `INSERT INTO outbox (ordering_key, message)
     SELECT 'endpoint ' || i, '{"kind": "endpointCorrected"}'
     FROM generate_series(1, 10) AS i`,
  );
}

const NOT_THERE = '9000000000';
const one = { ids: [], free: [], unlisted: 1 };
const free = { endpoint: one, clinic: one, host: one };
const gone = () => ({ outboxId: NOT_THERE, claimedBy: workerId, failures: 0 });

const BY_THE_OUTBOX: [string, (em: EntityManager) => Promise<unknown>][] = [
  ['first attempts are claimed', (em) => claimFirstAttempts(em, { workerId, limit: 1, free })],
  [
    'first attempts of new rows are claimed',
    (em) =>
      claimFirstAttempts(em, {
        workerId,
        limit: 1,
        free,
        passed: { ...NOTHING_PASSED, ofAllUpTo: NOT_THERE },
      }),
  ],
  ['attempted deliveries are claimed', (em) => claimAttempted(em, workerId, 1)],
  ['messages are claimed', (em) => claimMessages(em, workerId, 1)],
  ['timers are claimed', (em) => claimTimers(em, workerId, 1)],
  ['claims are confirmed', (em) => confirmClaims(em, [gone()])],
  ['messages are done', (em) => deleteClaimed(em, [gone()])],
];

test.each(BY_THE_OUTBOX)('what was planned for an empty outbox reads no full one when %s', async (_, act) => {
  await using database = await openDatabase({
    sealing: TEST_SEALING,
    url: testDatabase.url,
    applicationName: 'test',
  });
  await ask(database.em(), 100);
  await emptyOutbox();
  for (let uses = 0; uses < USES; uses += 1) await act(database.outbox());
  await ask(database.em(), WAITING);
  expect(await pagesFor(database.outbox(), act)).toBeLessThan(MOST_PAGES);
});
