import { afterAll, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { claimAttempted } from '../../../db/outbox/claim-deliveries.ts';
import { findPendingBurst, leaveBursts, reserveDueBurst } from '../../../db/outbox/burst-rows.ts';
import { claimFirstAttempts } from '../../../db/outbox/claim-first-attempts.ts';
import { claimMessages, claimTimers } from '../../../db/outbox/claim-messages.ts';
import { OutboxIdsWithoutStatisticsMigration } from '../../../db/migrations/019-outbox-ids-without-statistics.ts';
import { deleteClaimed } from '../../../db/outbox/settle-messages.ts';
import { aClinic, anEndpoint } from '../../support/clinic.ts';
import { createTestDatabase, openDatabaseAt } from '../../support/database.ts';
import { aLease } from '../../support/leases.ts';
import { until } from '../../support/until.ts';
import { insertDeliveryRows } from '../../support/waiting-deliveries.ts';
import { pagesFor } from './pages-read.ts';
import { forSuite } from '../../support/for-suite.ts';

/** Of deliveries, of timers and of messages, together on more than 600 pages. */
const WAITING = 3000;
/** Planning alone reads a page of each index. */
const MAX_PAGES = 150;

/** Uses of a connection after which its plans are new and stay for as many again. */
const USES = 17;

const testDatabase = await forSuite(createTestDatabase());
await using database = await openDatabaseAt(testDatabase.url);
const pool = new Pool({ connectionString: testDatabase.url, max: 1 });
const { tenantId: clinicId } = await aClinic(database);
const endpointId = await anEndpoint(database, clinicId);
const workerId = await aLease(database.em());
await ask(database.em(), 100);
await dropStatisticsOfIds(database.em());

afterAll(() => pool.end());

/** Of a database in which an earlier version has gathered them. */
async function dropStatisticsOfIds(em: EntityManager): Promise<void> {
  await pool.query('ALTER TABLE outbox ALTER COLUMN id SET STATISTICS -1');
  await pool.query('ANALYZE outbox');
  const migration = new OutboxIdsWithoutStatisticsMigration(em.getDriver(), em.config);
  migration.up();
  const statements = migration.getQueries().filter((statement) => typeof statement === 'string');
  for (const statement of statements) await em.execute(statement);
}

/** PostgreSQL gives the pages of an emptied table back, and plans for one that has none. */
async function emptyOutbox(): Promise<void> {
  await pool.query('DELETE FROM outbox');
  await until('the outbox has no pages', async () => {
    // While autovacuum looks at any table, deleted rows stay.
    await pool.query('VACUUM (ANALYZE) outbox');
    const { rows } = await pool.query(`SELECT pg_relation_size('outbox') AS bytes`);
    return rows[0]?.bytes === '0';
  });
}

/** So many timers, messages of another clinic and deliveries come into the outbox, and after them a few messages without a clinic. */
async function ask(em: EntityManager, count: number): Promise<void> {
  await pool.query(
    `INSERT INTO outbox (ordering_key, message, due_at)
     SELECT 'timer ' || i, '{"kind": "startNoShow"}', now() + interval '1 day'
     FROM generate_series(1, $1) AS i`,
    [count],
  );
  await pool.query(
    `INSERT INTO outbox (ordering_key, message)
     SELECT 'of others ' || i, '{"kind": "endpointCorrected", "clinicId": "0"}'
     FROM generate_series(1, $1) AS i`,
    [count],
  );
  await insertDeliveryRows(em, { clinicId, endpointId }, count);
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
        onlyNew: { beyond: NOT_THERE, alsoOf: [] },
      }),
  ],
  ['attempted deliveries are claimed', (em) => claimAttempted(em, workerId, 1)],
  ['messages are claimed', (em) => claimMessages(em, workerId, 1)],
  ['timers are claimed', (em) => claimTimers(em, workerId, 1)],
  ['a due burst is reserved', (em) => reserveDueBurst(em)],
  ['a burst is read', (em) => findPendingBurst(em, 'burst:gone')],
  ['a burst is left', (em) => leaveBursts(em, ['burst:gone'], { delaySeconds: 1, lastError: null })],
  ['messages are done', (em) => deleteClaimed(em, [gone()])],
];

test.each(BY_THE_OUTBOX)('what was planned for an empty outbox reads no full one when %s', async (_, act) => {
  await using database = await openDatabaseAt(testDatabase.url);
  await ask(database.em(), 100);
  // What is found here by chance, such as columns that grow with the ids, PostgreSQL goes on to believe of the empty table.
  await pool.query('ANALYZE outbox');
  await emptyOutbox();
  for (let uses = 0; uses < USES; uses += 1) await act(database.outbox());
  await ask(database.em(), WAITING);
  expect(await pagesFor(database.outbox(), act)).toBeLessThan(MAX_PAGES);
});
