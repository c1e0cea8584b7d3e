import type { Client } from 'pg';

/** A table or view that says of its rows whose they are. */
export interface Relation {
  name: string;
  kind: 'table' | 'view';
  /** The column that names the clinic. */
  clinic: string;
  /** Columns that can be written, with their types. */
  columns: { name: string; type: string; isNeeded: boolean }[];
}

/** Every one of them, as PostgreSQL lists them. */
export async function relationsOfClinics(owner: Client): Promise<Relation[]> {
  const { rows } = await owner.query<Relation>(`
    SELECT
      relname AS name,
      CASE relkind WHEN 'v' THEN 'view' ELSE 'table' END AS kind,
      CASE WHEN relname = 'tenant' THEN 'id' ELSE min(attname) FILTER (WHERE attname IN ('tenant_id', 'clinic_id')) END AS clinic,
      json_agg(json_build_object(
        'name', attname,
        'type', format_type(atttypid, NULL),
        'isNeeded', attnotnull AND NOT atthasdef
      ) ORDER BY attnum) FILTER (WHERE attgenerated = '' AND attidentity = '') AS columns
    FROM pg_class
    JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')
    GROUP BY relname, relkind
    HAVING relname = 'tenant' OR bool_or(attname IN ('tenant_id', 'clinic_id'))
    ORDER BY relname`);
  return rows;
}

const VALUES: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: 'gen_random_uuid()::text',
  bytea: 'uuid_send(gen_random_uuid())',
  integer: '1',
  bigint: '1',
  smallint: '1',
  numeric: '1',
  boolean: 'true',
  jsonb: `'{}'`,
  'bigint[]': `'{}'`,
  'smallint[]': `'{}'`,
  'text[]': `'{}'`,
  'uuid[]': `'{}'`,
  'timestamp with time zone': 'now()',
};

/**
 * A row in each table for each of the clinics, with whatever its columns take. Conditions, references and triggers, which are
 * no matter here, are put aside first.
 */
export async function fillTables(owner: Client, relations: readonly Relation[], clinics: readonly string[]) {
  const { rows } = await owner.query<{ statement: string }>(`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS statement
    FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'x') AND conrelid <> 0`);
  for (const { statement } of rows) await owner.query(statement);
  await owner.query('SET session_replication_role = replica');
  for (const relation of relations.filter(({ kind }) => kind === 'table')) {
    for (const id of clinics) await owner.query(insertion(relation, id));
  }
  await owner.query('RESET session_replication_role');
}

function insertion({ name: table, clinic, columns }: Relation, id: string): string {
  // The outbox reads out of its message whose it is.
  if (table === 'outbox') {
    const message = { kind: 'startDelivery', deliveryId: id, endpointId: id, clinicId: id };
    return `INSERT INTO outbox (message) VALUES ('${JSON.stringify(message)}')`;
  }
  const written = columns.filter(({ name, isNeeded }) => isNeeded || name === clinic || name === 'blocks');
  const values = written.map(({ name, type }) => {
    if (name === clinic) return `'${id}'`;
    const value = VALUES[type];
    if (value === undefined) throw new Error(`no value for ${table}.${name}, which is ${type}`);
    return value;
  });
  return `INSERT INTO ${table} (${written.map(({ name }) => name).join(', ')}) VALUES (${values.join(', ')})`;
}
