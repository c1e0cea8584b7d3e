import type { Pool } from 'pg';

export interface Clones {
  table: string;
  /** SQL: which row is copied, whatever columns this version of the table has; its value is $1. */
  template: [column: string, value: string];
  count: number;
  /** SQL: jsonb of the columns that differ, given the number `i` (from 1) and parameters from $3 on. */
  changes: string;
  parameters?: unknown[];
}

/** Fills a table with copies of one row. */
export async function cloneRows(sql: Pool, clones: Clones): Promise<void> {
  const { table, template, count, changes, parameters = [] } = clones;
  const { rows } = await sql.query<{ column_name: string }>(
    `SELECT column_name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' AND is_identity = 'NO'`,
    [table],
  );
  const columns = rows.map(({ column_name }) => column_name);
  await sql.query(
    `INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${columns.map((column) => `made.${column}`).join(', ')}
     FROM (SELECT * FROM ${table} WHERE ${template[0]} = $1 LIMIT 1) AS template
     CROSS JOIN generate_series(1, $2::int) AS i
     CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, to_jsonb(template) || ${changes}) AS made`,
    [template[1], count, ...parameters],
  );
  await sql.query(`VACUUM ANALYZE ${table}`);
}
