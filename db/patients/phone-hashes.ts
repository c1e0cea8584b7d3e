import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { onlyValue, rowsOf, run, type EntityManager } from '../connection/statements.ts';

/** A table with columns of phone hashes. */
export interface HashedTable {
  name: string;
  /** The columns that together are unique, in the order of an index. */
  key: readonly { column: string; type: RawBuilder<unknown> }[];
  columns: readonly string[];
}

const BY_ID = [{ column: 'id', type: sql`uuid` }];

/** The tables with phone hashes. Calls come after appointments, because the names of callers come from appointments. */
export const HASHED_TABLES: readonly HashedTable[] = [
  { name: 'appointment', key: BY_ID, columns: ['patient_phone_hash'] },
  { name: 'call', key: BY_ID, columns: ['from_number_hash', 'to_number_hash'] },
  {
    name: 'recall',
    key: [
      { column: 'tenant_id', type: sql`uuid` },
      { column: 'patient_phone_hash', type: sql`text` },
      { column: 'last_visit_at', type: sql`timestamptz` },
    ],
    columns: ['patient_phone_hash'],
  },
];

const HASHED_ROW = z.object({
  tenantId: z.string(),
  /** The values of the key columns as texts. */
  key: z.array(z.string()),
  /** The hashes, in column order. */
  texts: z.array(z.string()),
});
export type HashedRow = z.infer<typeof HASHED_ROW>;

interface Wanted {
  /** The clinic; null for all clinics. */
  tenantId: string | null;
  /** Rows whose hashes all have this prefix are left out. */
  prefix: string;
}

/** Locks the next rows that have a hash with another prefix, until the transaction ends. */
export async function lockOtherHashes(
  em: EntityManager,
  table: HashedTable,
  { after, limit, ...wanted }: Wanted & { after: readonly string[] | null; limit: number },
): Promise<HashedRow[]> {
  const key = table.key.map(({ column }) => sql.ref(column));
  return rowsOf(em, HASHED_ROW)`
    SELECT
      tenant_id, ARRAY[${sql.join(key.map((part) => sql`${part}::text`))}] AS key,
      ARRAY[${sql.join(table.columns.map((column) => sql.ref(column)))}] AS texts
    FROM ${sql.table(table.name)}
    WHERE ${isAfter(table.key, after)} AND ${isOther(table, wanted)}
    ORDER BY ${sql.join(key)}
    LIMIT ${limit}
    FOR NO KEY UPDATE
  `;
}

export function countOtherHashes(em: EntityManager, table: HashedTable, prefix: string) {
  return onlyValue(em, z.number())`
    SELECT count(*)::integer AS count
    FROM ${sql.table(table.name)}
    WHERE ${isOther(table, { tenantId: null, prefix })}
  `;
}

function isOther({ columns }: HashedTable, { tenantId, prefix }: Wanted): RawBuilder<unknown> {
  const begins = columns.map((column) => sql`NOT starts_with(${sql.ref(column)}, ${prefix})`);
  return sql`${tenantId === null ? sql`true` : sql`tenant_id = ${tenantId}`} AND (${sql.join(begins, sql` OR `)})`;
}

/** A condition: the row comes after this key. Null: any row. */
function isAfter(key: HashedTable['key'], after: readonly string[] | null): RawBuilder<unknown> {
  if (!after) return sql`true`;
  const parts = key.map(({ column }) => sql.ref(column));
  return sql`(${sql.join(parts)}) > (${sql.join(after.map((part, at) => sql`${part}::${key[at]?.type}`))})`;
}

/** Replaces the hashes of locked rows. */
export async function replaceHashes(
  em: EntityManager,
  { name, key, columns }: HashedTable,
  rows: readonly Pick<HashedRow, 'key' | 'texts'>[],
): Promise<void> {
  if (rows.length === 0) return;
  const changes = columns.map((column, at) => sql`${sql.ref(column)} = given.texts[${sql.lit(at + 1)}]`);
  const isGiven = key.map(
    ({ column, type }, at) => sql`stored.${sql.ref(column)} = given.key[${sql.lit(at + 1)}]::${type}`,
  );
  await run(em)`
    UPDATE ${sql.table(name)} AS stored
    SET ${sql.join(changes)}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given (key text[], texts text[])
    WHERE ${sql.join(isGiven, sql` AND `)}
  `;
}
