import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { claimFirstAttempts } from '../../db/outbox/claim-first-attempts.ts';
import { aClinic, anEndpoint } from '../support/clinic.ts';
import { openTestDatabase, type OpenTestDatabase } from '../support/database.ts';
import { aLease } from '../support/leases.ts';
import { insertDeliveryRows } from '../support/waiting-deliveries.ts';
import { pagesFor } from '../db/pages-read.ts';

/** On more than 200 pages. */
const DELETED = 3000;
const MOST_PAGES = 150;

let database: OpenTestDatabase;
let pool: Pool;
let clinicId: string;
let endpointId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  pool = new Pool({ connectionString: database.url, max: 2 });
  ({ tenantId: clinicId } = await aClinic(database));
  endpointId = await anEndpoint(database, clinicId);
});

afterAll(async () => {
  await pool.end();
  await database[Symbol.asyncDispose]();
});

/** Returns the id of the last row. */
function ask(count: number): Promise<string> {
  return insertDeliveryRows(database.em(), { clinicId, endpointId }, count);
}

test('deleted rows that somebody’s open transaction keeps are passed over', async () => {
  const backup = await pool.connect();
  try {
    await ask(1);
    await backup.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await backup.query('SELECT count(*) FROM outbox');
    const last = await ask(DELETED);
    await pool.query('DELETE FROM outbox');
    await ask(1);
    const onlyNew = { beyond: last, alsoOf: [] };
    const one = { ids: [], free: [], unlisted: 1 };
    const free = { endpoint: one, clinic: one, host: one };
    const workerId = await aLease(database.em());
    const pages = await pagesFor(database.outbox(), async (em) => {
      const { rows } = await claimFirstAttempts(em, { workerId, limit: 1, free, onlyNew });
      expect(rows).toHaveLength(1);
    });
    expect(pages).toBeLessThan(MOST_PAGES);
  } finally {
    backup.release(true);
  }
});
