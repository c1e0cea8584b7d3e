import { sql, type RawBuilder } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

/** A table with hashes of phones. */
export interface HashedTable {
  name: string;
  /** Unique together. */
  key: readonly { column: string; type: RawBuilder<unknown> }[];
  hashes: readonly string[];
}

const BY_ID = [{ column: 'id', type: sql`uuid` }];

/** Calls after appointments, by which their callers are named. */
export const HASHED_TABLES: readonly HashedTable[] = [
  { name: 'appointment', key: BY_ID, hashes: ['patient_phone_hash'] },
  { name: 'call', key: BY_ID, hashes: ['from_number_hash', 'to_number_hash'] },
  {
    name: 'recall',
    key: [
      { column: 'tenant_id', type: sql`uuid` },
      { column: 'patient_phone_hash', type: sql`text` },
      { column: 'last_visit_at', type: sql`timestamptz` },
    ],
    hashes: ['patient_phone_hash'],
  },
];

export interface HashedRow {
  tenantId: string;
  /** As texts. */
  key: string[];
  /** In the order of the table's columns. */
  hashes: string[];
}

interface Wanted {
  /** Of one clinic only; null: of all. */
  tenantId: string | null;
  /** Rows whose hashes all begin so are left out. */
  prefix: string;
}

/** The next rows with a hash that begins otherwise, held until the transaction ends. */
export async function holdOtherHashes(
  em: EntityManager,
  table: HashedTable,
  { after, limit, ...wanted }: Wanted & { after: readonly string[] | null; limit: number },
): Promise<HashedRow[]> {
  const key = table.key.map(({ column }) => sql.ref(column));
  const isLater = after
    ? sql`(${sql.join(key)}) > (${sql.join(after.map((part, at) => sql`${part}::${table.key[at]?.type}`))})`
    : sql`true`;
  const { rows } = await sql<HashedRow>`
    SELECT
      tenant_id AS "tenantId", ARRAY[${sql.join(key.map((part) => sql`${part}::text`))}] AS "key",
      ARRAY[${sql.join(table.hashes.map((column) => sql.ref(column)))}] AS "hashes"
    FROM ${sql.table(table.name)}
    WHERE ${isLater} AND ${isOther(table, wanted)}
    ORDER BY ${sql.join(key)}
    LIMIT ${limit}
    FOR NO KEY UPDATE
  `.execute(em.getKysely());
  return rows;
}

export async function countOtherHashes(
  em: EntityManager,
  table: HashedTable,
  prefix: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count
    FROM ${sql.table(table.name)}
    WHERE ${isOther(table, { tenantId: null, prefix })}
  `.execute(em.getKysely());
  return rows[0]?.count ?? 0;
}

function isOther({ hashes }: HashedTable, { tenantId, prefix }: Wanted): RawBuilder<unknown> {
  const begins = hashes.map((column) => sql`NOT starts_with(${sql.ref(column)}, ${prefix})`);
  return sql`${tenantId === null ? sql`true` : sql`tenant_id = ${tenantId}`} AND (${sql.join(begins, sql` OR `)})`;
}

/** Puts other hashes into rows that are held. */
export async function saveHashes(
  em: EntityManager,
  { name, key, hashes }: HashedTable,
  rows: readonly HashedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const changes = hashes.map((column, at) => sql`${sql.ref(column)} = given.hashes[${sql.lit(at + 1)}]`);
  const isGiven = key.map(
    ({ column, type }, at) => sql`stored.${sql.ref(column)} = given.key[${sql.lit(at + 1)}]::${type}`,
  );
  await sql`
    UPDATE ${sql.table(name)} AS stored
    SET ${sql.join(changes)}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given (key text[], hashes text[])
    WHERE ${sql.join(isGiven, sql` AND `)}
  `.execute(em.getKysely());
}

const EXCHANGE = 'phone_hash:';

/** From now until it is over, rows of one phone may have two hashes. @param prefix of the hashes of the new key */
export async function beginPhoneHashExchange(em: EntityManager, prefix: string): Promise<void> {
  await sql`
    INSERT INTO sealing_progress (table_name) VALUES (${EXCHANGE + prefix}) ON CONFLICT DO NOTHING
  `.execute(em.getKysely());
}

export async function endPhoneHashExchange(em: EntityManager, prefix: string): Promise<void> {
  await sql`
    UPDATE sealing_progress SET done_at = now() WHERE table_name = ${EXCHANGE + prefix}
  `.execute(em.getKysely());
}

export async function isPhoneHashBeingExchanged(em: EntityManager): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM sealing_progress WHERE starts_with(table_name, ${EXCHANGE}) AND done_at IS NULL LIMIT 1
  `.execute(em.getKysely());
  return rows.length > 0;
}
