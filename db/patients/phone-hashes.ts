import { sql, type RawBuilder } from 'kysely';
import { onlyValue, rowsOf, run, type EntityManager } from '../connection/statements.ts';
import { isAfter } from '../encryption/sealed-rows.ts';
import type { SealedTable } from '../encryption/sealed-tables.ts';

/** A table with hashes of phones, which are its columns. */
export type HashedTable = Pick<SealedTable, 'name' | 'key' | 'columns'>;

const BY_ID = [{ column: 'id', type: sql`uuid` }];

/** Calls after appointments, by which their callers are named. */
export const HASHED_TABLES: readonly HashedTable[] = [
  { name: 'appointment', key: BY_ID, columns: [{ name: 'patient_phone_hash' }] },
  { name: 'call', key: BY_ID, columns: [{ name: 'from_number_hash' }, { name: 'to_number_hash' }] },
  {
    name: 'recall',
    key: [
      { column: 'tenant_id', type: sql`uuid` },
      { column: 'patient_phone_hash', type: sql`text` },
      { column: 'last_visit_at', type: sql`timestamptz` },
    ],
    columns: [{ name: 'patient_phone_hash' }],
  },
];

export interface HashedRow {
  tenantId: string;
  /** As texts. */
  key: string[];
  /** The hashes, in the order of the table's columns. */
  texts: string[];
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
  return rowsOf<HashedRow>(em)`
    SELECT
      tenant_id AS "tenantId", ARRAY[${sql.join(key.map((part) => sql`${part}::text`))}] AS "key",
      ARRAY[${sql.join(table.columns.map(({ name }) => sql.ref(name)))}] AS "texts"
    FROM ${sql.table(table.name)}
    WHERE ${isAfter(table.key, after)} AND ${isOther(table, wanted)}
    ORDER BY ${sql.join(key)}
    LIMIT ${limit}
    FOR NO KEY UPDATE
  `;
}

export function countOtherHashes(em: EntityManager, table: HashedTable, prefix: string) {
  return onlyValue<number>(em)`
    SELECT count(*)::integer AS count
    FROM ${sql.table(table.name)}
    WHERE ${isOther(table, { tenantId: null, prefix })}
  `;
}

function isOther({ columns }: HashedTable, { tenantId, prefix }: Wanted): RawBuilder<unknown> {
  const begins = columns.map(({ name }) => sql`NOT starts_with(${sql.ref(name)}, ${prefix})`);
  return sql`${tenantId === null ? sql`true` : sql`tenant_id = ${tenantId}`} AND (${sql.join(begins, sql` OR `)})`;
}

const EXCHANGE = 'phone_hash:';

/** From now until it is over, rows of one phone may have two hashes. @param prefix of the hashes of the new key */
export function beginPhoneHashExchange(em: EntityManager, prefix: string) {
  return run(em)`
    INSERT INTO sealing_progress (table_name) VALUES (${EXCHANGE + prefix}) ON CONFLICT DO NOTHING
  `;
}

export function endPhoneHashExchange(em: EntityManager, prefix: string) {
  return run(em)`
    UPDATE sealing_progress SET done_at = now() WHERE table_name = ${EXCHANGE + prefix}
  `;
}

export function isPhoneHashBeingExchanged(em: EntityManager) {
  return onlyValue<boolean>(em)`
    SELECT EXISTS (SELECT FROM sealing_progress WHERE starts_with(table_name, ${EXCHANGE}) AND done_at IS NULL)
  `;
}
