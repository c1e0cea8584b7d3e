import { sql } from 'kysely';
import type { Client } from 'pg';
import type { Database } from '../../../db/connection/open-database.ts';

/** Every row of every table as text, by table. */
export async function storedRows(database: Database): Promise<Map<string, string[]>> {
  const kysely = database.em().getKysely();
  const { rows: tables } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'
  `.execute(kysely);
  const selects = tables.map(
    ({ name }) => sql`SELECT ${name}::text AS name, t::text AS row FROM ${sql.table(name)} t`,
  );
  const { rows } = await sql<{ name: string; row: string }>`${sql.join(selects, sql` UNION ALL `)}`.execute(
    kysely,
  );
  const stored = new Map(tables.map(({ name }): [string, string[]] => [name, []]));
  for (const { name, row } of rows) stored.get(name)?.push(row);
  return stored;
}

/** The same for a plain connection. */
export async function storedRowsOf(client: Client): Promise<Map<string, string[]>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  const stored = new Map<string, string[]>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t ORDER BY 1`);
    stored.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return stored;
}

/** The same as one text, like a dump. */
export async function dump(database: Database): Promise<string> {
  return [...(await storedRows(database))].flatMap(([name, rows]) => [name, ...rows]).join('\n');
}

/** The forms in which a secret could be stored. */
export function formsOf(secret: string): string[] {
  const bare = secret.replace(/^whsec_/, '');
  const bytes = Buffer.from(bare, 'base64');
  return [
    bare,
    encodeURIComponent(bare),
    bytes.toString('hex'),
    Buffer.from(secret).toString('hex'),
    bytes.toString('base64url'),
  ];
}

/** The names of the texts that contain a secret. */
export function leaks(texts: Record<string, string>, secrets: readonly string[]): string[] {
  const forms = secrets.flatMap(formsOf);
  return Object.entries(texts).flatMap(([name, text]) =>
    forms.some((form) => text.includes(form)) ? [name] : [],
  );
}
