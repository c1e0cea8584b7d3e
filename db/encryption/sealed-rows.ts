import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';
import type { SealedTable } from './sealed-tables.ts';

/** Format and key id: what a stored text begins with, before the second full stop. */
const HEADER_LENGTH = sql.lit('v2.00000000'.length);

export interface SealedRow {
  tenantId: string;
  /** As text, whatever its type. */
  key: string;
  /** The id of the endpoint, call or event, or the hash of the Idempotency-Key in hex. */
  owner: string;
  /** In the order of the table's columns. */
  texts: string[];
}

export interface PageWanted {
  /** Null: from the beginning. */
  after: Pick<SealedRow, 'tenantId' | 'key'> | null;
  limit: number;
  /** Rows whose texts begin so are left out. */
  header: string;
}

/**
 * The next rows that another key or format has sealed, held until the transaction ends. Those that somebody else holds are
 * left out, so that nobody waits for two rows at once.
 */
export async function lockSealedRows(
  em: EntityManager,
  { name, key, keyType, owner, columns, condition }: SealedTable,
  { after, limit, header }: PageWanted,
): Promise<SealedRow[]> {
  const texts = sql.join(columns.map((column) => sql.ref(column)));
  const later = after
    ? sql`(tenant_id, ${key}) > (${after.tenantId}::uuid, ${after.key}::${keyType})`
    : sql`true`;
  const { rows } = await sql<SealedRow>`
    SELECT tenant_id AS "tenantId", ${key}::text AS "key", ${owner}::text AS "owner", ARRAY[${texts}] AS "texts"
    FROM ${sql.table(name)}
    WHERE ${condition}
      AND ${later}
      AND left(${sql.ref(columns[0] ?? '')}, ${HEADER_LENGTH}) <> ${header}
    ORDER BY tenant_id, ${key}
    LIMIT ${limit}
    FOR NO KEY UPDATE SKIP LOCKED
  `.execute(em.getKysely());
  return rows;
}

/** Puts other texts into rows that are held. */
export async function replaceSealedTexts(
  em: EntityManager,
  { name, key, keyType, columns }: SealedTable,
  rows: readonly Pick<SealedRow, 'tenantId' | 'key' | 'texts'>[],
): Promise<void> {
  const changes = columns.map(
    (column, index) => sql`${sql.ref(column)} = given.texts[${sql.lit(index + 1)}]`,
  );
  const given = rows.map(({ tenantId: tenant_id, key: row_key, texts }) => ({ tenant_id, row_key, texts }));
  await sql`
    UPDATE ${sql.table(name)} AS stored
    SET ${sql.join(changes)}
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS given (tenant_id uuid, row_key text, texts text[])
    WHERE stored.tenant_id = given.tenant_id
      AND stored.${key} = given.row_key::${keyType}
  `.execute(em.getKysely());
}

export interface SealedCount {
  table: SealedTable['name'];
  format: string;
  keyId: string;
  rows: number;
  /** When the last of them has gone by itself; null when they stay. */
  goneAt: Date | null;
}

/** How many rows each key has sealed, in each format. */
export async function countSealedRows(em: EntityManager, table: SealedTable): Promise<SealedCount[]> {
  const header = sql`left(${sql.ref(table.columns[0] ?? '')}, ${HEADER_LENGTH})`;
  const { rows } = await sql<Omit<SealedCount, 'goneAt'> & { goneAt: string | null }>`
    SELECT
      ${sql.lit(table.name)} AS "table", split_part(${header}, '.', 1) AS "format",
      split_part(${header}, '.', 2) AS "keyId", count(*)::integer AS "rows",
      max(${table.goesAt}) AS "goneAt"
    FROM ${sql.table(table.name)}
    WHERE ${table.condition}
    GROUP BY 2, 3
    ORDER BY 4 DESC, 3, 2
  `.execute(em.getKysely());
  return rows.map(({ goneAt, ...count }) => ({
    ...count,
    goneAt: goneAt === null ? null : new Date(goneAt),
  }));
}
