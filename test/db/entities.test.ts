import { expect, test } from '@jest/globals';
import type { EntityMetadata } from '@mikro-orm/postgresql';
import { suiteDatabase } from '../support/database.ts';

const database = await suiteDatabase();

/**
 * Tables that only statements written by hand touch. Besides these and the columns below, the entities leave to the migrations
 * what MikroORM has no words for: checks, foreign keys over two columns, the exclusion of slots, and indexes.
 */
const TABLES_WITHOUT_ENTITY = [
  'acknowledgement_watch',
  'calendar_entry',
  'clinic_key',
  'clinic_usage',
  'clinic_window',
  'deployment',
  'idempotency_record',
  'mikro_orm_migrations',
  'outbox',
  'patient_read',
  'recall',
  'recall_scan',
  'recalled_visit',
  'recording_removal',
  'reminder_scan',
  'request_log',
  'request_window',
  'sealing_progress',
  'self_booking',
  'sync_mark',
  'usage_change',
  'webhook_replay',
  'worker_lease',
];

/** Generated from other columns, for statements written by hand; and what earlier versions wrote. */
const COLUMNS_WITHOUT_PROPERTY = [
  'kept_form.sent_at timestamp(3) with time zone',
  'webhook_endpoint.host text NOT NULL',
];

/** A view: what its columns take, and what they have at first, is up to its table. */
const VIEW = 'appointment';

/** Views that statements read and no entity does. */
const VIEWS_WITHOUT_ENTITY = ['blocked_time', 'found_visit', 'shown_patient', 'taken_time'];

/** Of a schema: each column with its type and, in a table, whether it takes null, and its default; and the tables. */
async function columnsOf(schema: string): Promise<{ table: string; column: string }[]> {
  return database.em().execute<{ table: string; column: string }[]>(
    `SELECT
       relname AS "table",
       concat_ws(' ', relname || '.' || attname, format_type(atttypid, atttypmod),
         CASE WHEN attnotnull AND relname <> ? THEN 'NOT NULL' END,
         CASE WHEN attidentity <> '' THEN 'IDENTITY' END,
         CASE WHEN attgenerated = '' AND relname <> ? THEN 'DEFAULT ' || pg_get_expr(adbin, adrelid) END) AS "column"
     FROM pg_class
     JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
     LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE relnamespace = ?::regnamespace AND relkind IN ('r', 'v')
     ORDER BY 2`,
    [VIEW, VIEW, schema],
  );
}

/** PostgreSQL reads what the entity says, so that both are written in its words. */
function tableOf({ tableName, props }: EntityMetadata): string {
  const columns = props.map(({ fieldNames, columnTypes, nullable, defaultRaw, autoincrement }) =>
    [
      fieldNames[0],
      columnTypes[0]?.replace('serial', 'int'),
      nullable ? '' : 'NOT NULL',
      autoincrement
        ? 'GENERATED ALWAYS AS IDENTITY'
        : defaultRaw === undefined
          ? ''
          : `DEFAULT ${defaultRaw}`,
    ].join(' '),
  );
  return `CREATE TABLE told_by_entities.${tableName} (${columns.join()})`;
}

test('the entities say of every column what the migrations made', async () => {
  const entities = [...database.em().getMetadata().getAll().values()];
  await database.em().execute(['CREATE SCHEMA told_by_entities', ...entities.map(tableOf)].join(';'));
  const migrated = await columnsOf('public');
  const told = await columnsOf('told_by_entities');
  const expected = migrated
    .filter(
      ({ table, column }) =>
        ![...TABLES_WITHOUT_ENTITY, ...VIEWS_WITHOUT_ENTITY].includes(table) &&
        !COLUMNS_WITHOUT_PROPERTY.includes(column),
    )
    .map(({ column }) => column);
  expect(told.map(({ column }) => column)).toEqual(expected);
});

test('what the entities leave out is there', async () => {
  const migrated = await columnsOf('public');
  const tables = new Set(migrated.map(({ table }) => table));
  const columns = new Set(migrated.map(({ column }) => column));
  expect([...TABLES_WITHOUT_ENTITY, ...VIEWS_WITHOUT_ENTITY].filter((table) => !tables.has(table))).toEqual(
    [],
  );
  expect(COLUMNS_WITHOUT_PROPERTY.filter((column) => !columns.has(column))).toEqual([]);
});
