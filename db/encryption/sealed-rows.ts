import { sql, type RawBuilder } from 'kysely';
import { rowsOf, run, tables, type EntityManager } from '../connection/statements.ts';
import { partOf, type SealedColumn, type SealedTable } from './sealed-tables.ts';

/** Format and key id, with the full stop between: what a sealed text begins with. */
const HEADER_LENGTH = sql.lit('v2.00000000'.length);
const SEALED = sql.lit(String.raw`^v\d\.[0-9a-f]{8}\.[A-Za-z0-9_-]{16}\.`);

export interface SealedRow {
  tenantId: string;
  /** As texts, whatever their types. */
  key: string[];
  /** The id of the endpoint, call, event or row, or the hash of the Idempotency-Key in hex. */
  owner: string;
  /** In the order of the table's columns; of a JSON column the JSON as text, while it is not sealed. */
  texts: (string | null)[];
}

export interface PageWanted {
  /** Null: from the beginning. */
  after: readonly string[] | null;
  limit: number;
  /** Rows of whose texts each begins so, or is not there, are left out. */
  begin: string;
  /** What is sealed in format v3 or clear is left out: only other keys and formats of ENCRYPTION_KEY are looked for. */
  isOfMasterOnly?: boolean;
}

/**
 * The next rows with a text that is not sealed as wanted, held until the transaction ends. Those that somebody else holds are
 * not among the `rows`, so that nobody waits for two rows at once. `last`: of all that were found, held or not.
 */
export async function lockSealedRows(
  em: EntityManager,
  table: SealedTable,
  { after, limit, begin, isOfMasterOnly = false }: PageWanted,
): Promise<{ rows: SealedRow[]; found: number; last: string[] | null }> {
  const { name, key, owner, columns } = table;
  const parts = key.map(({ column }) => sql.ref(column));
  const isUndone = sql.join(
    columns.map((column) => isNotSealed(column, begin, isOfMasterOnly)),
    sql` OR `,
  );
  const found = await rowsOf<{ key: string[] }>(em)`
    SELECT ARRAY[${sql.join(parts.map((part) => sql`${part}::text`))}] AS "key"
    FROM ${sql.table(name)}
    WHERE ${isAfter(key, after)} AND (${isUndone})
    ORDER BY ${sql.join(parts)}
    LIMIT ${limit}
  `;
  if (found.length === 0) return { rows: [], found: 0, last: null };
  const rows = await rowsOf<SealedRow>(em)`
    SELECT
      tenant_id AS "tenantId", ARRAY[${sql.join(parts.map((part) => sql`${part}::text`))}] AS "key",
      ${owner}::text AS "owner", ARRAY[${sql.join(columns.map(textOf))}] AS "texts"
    FROM ${sql.table(name)}
    WHERE (${sql.join(parts)}) IN (
        SELECT ${sql.join(key.map(({ type }, at) => sql`given.key[${sql.lit(at + 1)}]::${type}`))}
        FROM json_to_recordset(${JSON.stringify(found)}::json) AS given (key text[])
      )
      AND (${isUndone})
    FOR NO KEY UPDATE SKIP LOCKED
  `;
  return { rows, found: found.length, last: found.at(-1)?.key ?? null };
}

/** A condition: the row comes later in the order of the key. Null: any does. */
export function isAfter(key: SealedTable['key'], after: readonly string[] | null): RawBuilder<unknown> {
  if (!after) return sql`true`;
  const parts = key.map(({ column }) => sql.ref(column));
  return sql`(${sql.join(parts)}) > (${sql.join(after.map((part, at) => sql`${part}::${key[at]?.type}`))})`;
}

/** What is empty needs no seal. */
function isNotSealed(
  { name, isJson, placeholder = '' }: SealedColumn,
  begin: string,
  isOfMasterOnly: boolean,
): RawBuilder<unknown> {
  const column = sql.ref(name);
  if (isOfMasterOnly)
    return sql`(${column} ~ ${SEALED} AND NOT starts_with(${column}, ${begin}) AND NOT starts_with(${column}, 'v3.'))`;
  return isJson
    ? sql`(${column} <> '{}' AND NOT (jsonb_typeof(${column}) = 'string' AND starts_with(${column} #>> '{}', ${begin})))`
    : sql`(${column} NOT IN ('', ${placeholder}) AND NOT (starts_with(${column}, ${begin}) AND ${column} ~ ${SEALED}))`;
}

function textOf({ name, isJson }: SealedColumn): RawBuilder<unknown> {
  const column = sql.ref(name);
  return isJson
    ? sql`CASE WHEN jsonb_typeof(${column}) = 'string' THEN ${column} #>> '{}' ELSE ${column}::text END`
    : column;
}

/** As it is to be stored. */
export type SealedAnew = Pick<SealedRow, 'key' | 'texts'>;

/** Puts other texts into rows that are held. */
export async function replaceTexts(
  em: EntityManager,
  { name, key, columns }: Pick<SealedTable, 'name' | 'key' | 'columns'>,
  rows: readonly SealedAnew[],
): Promise<void> {
  if (rows.length === 0) return;
  const changes = columns.map((column, index) => {
    const text = sql`given.texts[${sql.lit(index + 1)}]`;
    return sql`${sql.ref(column.name)} = ${column.isJson ? asJson(text) : text}`;
  });
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

/** A text that is not sealed is the JSON itself. */
function asJson(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`CASE WHEN ${text} ~ ${SEALED} THEN to_jsonb(${text}) ELSE ${text}::jsonb END`;
}

export interface SealedCount {
  /** `partOf` the table. */
  table: string;
  /** `clear`: not sealed yet. */
  format: string;
  /** Of ENCRYPTION_KEY; empty where the rows are under the keys of clinics, or under none. */
  keyId: string;
  rows: number;
  /** When the last of them has gone by itself; null when they stay. */
  goneAt: Date | null;
}

/** How many rows are sealed in which way: each by that of its texts which is sealed the worst. Reads the whole table. */
export async function countSealedRows(em: EntityManager, table: SealedTable): Promise<SealedCount[]> {
  const header = sql`least(${sql.join(table.columns.map(headerOf))})`;
  return rowsOf<SealedCount>(tables(em))`
    SELECT
      ${partOf(table)} AS "table", split_part(header, '.', 1) AS "format",
      CASE WHEN header LIKE 'v3.%' THEN '' ELSE split_part(header, '.', 2) END AS key_id,
      count(*)::integer AS "rows", max(goes_at) AS gone_at
    FROM (SELECT ${header} AS header, ${table.goesAt} AS goes_at FROM ${sql.table(table.name)}) stored
    WHERE header IS NOT NULL
    GROUP BY 2, 3
    ORDER BY 4 DESC, 3, 2
  `;
}

function headerOf(column: SealedColumn): RawBuilder<unknown> {
  const text = textOf(column);
  return sql`CASE
    WHEN ${text} IN ('', '{}', ${column.placeholder ?? ''}) THEN NULL WHEN ${text} ~ ${SEALED} THEN left(${text}, ${HEADER_LENGTH})
    WHEN ${text} IS NOT NULL THEN 'clear' END COLLATE "C"`;
}
