import { afterAll, afterEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { claimFirstAttempts } from '../../db/outbox/claim-first-attempts.ts';
import type { OnlyNew } from '../../db/outbox/waiting-endpoints.ts';
import { aClinic, anEndpoint } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { aLease } from '../support/leases.ts';
import { insertDeliveryRows } from '../support/waiting-deliveries.ts';
import { pagesFor } from '../db/plans/pages-read.ts';

const ENDPOINTS = 60;
/** On more than 200 pages. */
const DELETED = 3000;
const MAX_PAGES = 150;

const database = await suiteDatabase();
const pool = new Pool({ connectionString: database.url, max: 2 });
const { tenantId: clinicId } = await aClinic(database);
const workerId = await aLease(database.em());
afterEach(() => pool.query('DELETE FROM outbox'));
afterAll(() => pool.end());

/** Returns the id of the last row. */
function ask(endpointId: string, count = 1): Promise<string> {
  return insertDeliveryRows(database.em(), { clinicId, endpointId }, count);
}

const enough = { ids: [], free: [], unlisted: 99 };
const free = { endpoint: enough, clinic: enough, host: enough };

async function claim(em: EntityManager, onlyNew: OnlyNew | null): Promise<string[]> {
  const { rows } = await claimFirstAttempts(em, { workerId, limit: 99, free, onlyNew });
  return rows.map(({ outboxId }) => outboxId);
}

test('a claim of new rows takes those, and all of the endpoints that are named', async () => {
  const [quiet, named, busy] = [
    await anEndpoint(database, clinicId),
    await anEndpoint(database, clinicId),
    await anEndpoint(database, clinicId),
  ];
  const [left, ofNamed, older] = [await ask(quiet), await ask(named), await ask(busy)];
  const onlyNew = { beyond: older, alsoOf: [named] };
  expect(await claim(database.outbox(), onlyNew)).toEqual([ofNamed]);
  const newer = await ask(busy);
  expect(await claim(database.outbox(), onlyNew)).toEqual([newer]);
  expect(await claim(database.outbox(), null)).toEqual([left, older]);
});

test('endpoints whose rows are all claimed cost a claim of new rows nothing', async () => {
  const endpoints = await Promise.all(
    Array.from({ length: ENDPOINTS }, () => anEndpoint(database, clinicId)),
  );
  for (const endpoint of endpoints) await ask(endpoint);
  await claim(database.outbox(), null);
  const pagesOf = async (onlyNew: OnlyNew | null) => {
    const last = await ask(endpoints[0] ?? '');
    return pagesFor(database.outbox(), async (em) => expect(await claim(em, onlyNew)).toEqual([last]));
  };
  const { rows } = await pool.query<{ last: string }>('SELECT max(id)::text AS last FROM outbox');
  const ofNew = await pagesOf({ beyond: rows[0]?.last ?? '', alsoOf: [] });
  const ofAll = await pagesOf(null);
  expect(ofAll - ofNew).toBeGreaterThan(ENDPOINTS * 5);
});

test('deleted rows that an open transaction keeps are passed over', async () => {
  const endpointId = await anEndpoint(database, clinicId);
  const backup = await pool.connect();
  try {
    await ask(endpointId);
    await backup.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await backup.query('SELECT count(*) FROM outbox');
    const last = await ask(endpointId, DELETED);
    await pool.query('DELETE FROM outbox');
    await ask(endpointId);
    const onlyNew = { beyond: last, alsoOf: [] };
    const one = { ids: [], free: [], unlisted: 1 };
    const onlyOne = { endpoint: one, clinic: one, host: one };
    const pages = await pagesFor(database.outbox(), async (em) => {
      const { rows } = await claimFirstAttempts(em, { workerId, limit: 1, free: onlyOne, onlyNew });
      expect(rows).toHaveLength(1);
    });
    expect(pages).toBeLessThan(MAX_PAGES);
  } finally {
    backup.release(true);
  }
});

test('a row whose attempt was recorded while another worker looked for rows is not claimed again', async () => {
  const endpointId = await anEndpoint(database, clinicId);
  await ask(endpointId, 300);
  const claimed: string[] = [];
  const claimAll = async () => {
    for (;;) {
      const { rows } = await claimFirstAttempts(database.outbox(), { workerId, limit: 5, free });
      if (rows.length === 0) return;
      const ids = rows.map(({ outboxId }) => outboxId);
      claimed.push(...ids);
      // As the statement that records an attempt leaves a row whose workflow is still to be started.
      await pool.query(
        'UPDATE outbox SET attempted = true, claimed_by = NULL, available_at = clock_timestamp() WHERE id = ANY($1)',
        [ids],
      );
    }
  };
  await Promise.all(Array.from({ length: 4 }, claimAll));
  expect(claimed).toHaveLength(new Set(claimed).size);
});
