import type { Pool } from 'pg';

export interface Copies {
  table: string;
  /** SQL: what stands after FROM; `template` is a row of the table, from which every column comes that nothing else is said of. */
  from: string;
  /** SQL by column. */
  changes: Record<string, string>;
}

/** Inserts rows that are made of others, whatever columns this version of the table has. Returns how many. */
export async function copyRows(sql: Pool, { table, from, changes }: Copies): Promise<number> {
  const { rows } = await sql.query<{ column: string }>(
    `SELECT column_name AS "column" FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' AND is_identity = 'NO'`,
    [table],
  );
  const columns = rows.map(({ column }) => column);
  const values = columns.map((column) => changes[column] ?? `template.${column}`);
  const { rowCount } = await sql.query(
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${from}`,
  );
  return rowCount ?? 0;
}

/** What a delivery has of its event, no matter who makes the rows: of the tables `event` and `clinic`. */
export const DELIVERY_OF_EVENT = {
  id: 'uuidv7(event.created_at - now())',
  tenant_id: 'event.tenant_id',
  event_id: 'event.id',
  endpoint_id: 'clinic.endpoint_id',
  appointment_id: 'event.appointment_id',
  created_at: 'event.created_at',
  updated_at: 'event.created_at',
};
