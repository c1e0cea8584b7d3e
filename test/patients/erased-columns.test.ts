import { expect, test } from '@jest/globals';
import { eraseClinic } from '../../db/clinic/erase-clinic-rows.ts';
import { aClinic, aKey, anEndpoint } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';

const database = await suiteDatabase();

const OF_EVERY_ROW = ['id', 'tenant_id', 'created_at', 'updated_at'];
/** What stays of the rows in which a clinic says what it is and who works there: a new column is erased, or tells of no one and is named here. */
const STAYS: Record<string, string[]> = {
  tenant: [
    'country',
    'specialty',
    'plan',
    'status',
    'trial_ends_at',
    'requests_per_minute',
    'max_appointments',
    'max_calls',
    'max_recording_gib',
  ],
  professional: ['specialty'],
  service_type: ['duration_minutes', 'buffer_minutes'],
  busy_block: ['professional_id', 'starts_at', 'ends_at'],
  webhook_endpoint: [
    'events',
    'ignore_actors',
    'status',
    'failing_since',
    'deactivate_at',
    'paused_until',
    'read_at',
    'corrected_at',
    'deleted_at',
  ],
  api_key: [
    'parent_key_id',
    'rolled_from_key_id',
    'made_until',
    'scopes',
    'public_id',
    'secret_hash',
    'expires_at',
    'revoked_at',
    'last_used_at',
  ],
};

/** What columns are filled with, so that it shows when they are emptied. */
const SAMPLES: Record<string, string> = {
  text: "'told'",
  jsonb: `'{"told": true}'`,
  numeric: '1',
  integer: '1',
  date: 'now()',
  'timestamp with time zone': 'now()',
  boolean: 'true',
};

const execute = <Row>(text: string, values: unknown[] = []) => database.em().execute<Row[]>(text, values);

/** Fills what the rows of the clinic leave open. */
async function fill(table: string): Promise<void> {
  const columns = await execute<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type
     FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = ? AND is_generated = 'NEVER'
       AND (is_nullable = 'YES' OR data_type IN ('jsonb', 'boolean'))`,
    [table],
  );
  const filled = columns.flatMap(({ name, type }) => (SAMPLES[type] ? `${name} = ${SAMPLES[type]}` : []));
  if (filled.length > 0) await execute(`UPDATE ${table} SET ${filled.join(', ')}`);
}

const rowsOf = (table: string) => execute<Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY id`);

test('of what a clinic says of itself and its people, erasing it leaves the columns that are named, and no other', async () => {
  const { tenantId, professionalIds } = await aClinic(database);
  await anEndpoint(database, tenantId);
  await execute(`UPDATE webhook_endpoint SET header_names = '{told}'`);
  await aKey(database, tenantId);
  await execute(
    `INSERT INTO busy_block (id, tenant_id, external_id, professional_id, starts_at, ends_at)
     VALUES (gen_random_uuid(), ?, 'told', ?, now(), now() + interval '1 hour')`,
    [tenantId, professionalIds[0]],
  );
  const tables = Object.keys(STAYS);
  for (const table of tables) await fill(table);
  const before = await Promise.all(tables.map(rowsOf));
  await database.write((em) => eraseClinic(em, tenantId));
  const after = await Promise.all(tables.map(rowsOf));
  for (const [at, table] of tables.entries()) {
    const [was = {}, is = {}] = [before[at]?.[0], after[at]?.[0]];
    const unchanged = Object.keys(was).filter(
      (column) => JSON.stringify(was[column]) === JSON.stringify(is[column]),
    );
    const stays = [...OF_EVERY_ROW.filter((column) => column in was), ...(STAYS[table] ?? [])];
    expect([table, unchanged.sort()]).toEqual([table, stays.sort()]);
  }
});
