import type { Database } from '../../db/connection/open-database.ts';

/** How many records of patients a key has read, by the access log. */
export async function readsOfKey(database: Database, keyId: string): Promise<number> {
  const [row] = await database
    .em()
    .execute<{ n: number }[]>(
      'SELECT coalesce(sum(cardinality(subject_ids)), 0)::int AS n FROM patient_read WHERE actor = ?',
      [`key:${keyId}`],
    );
  return row?.n ?? 0;
}
