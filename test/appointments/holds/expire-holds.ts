import { sql } from 'kysely';
import type { Database } from '../../../db/connection/open-database.ts';

/** Lets the time of these holds have come, just now by default. */
export async function expireHolds(
  database: Database,
  ids: readonly string[],
  { daysAgo = 0 }: { daysAgo?: number } = {},
): Promise<void> {
  await sql`
    UPDATE calendar_entry
    SET hold_expires_at = clock_timestamp() - make_interval(days => ${daysAgo}::integer)
    WHERE id = ANY(${[...ids]}::uuid[])
  `.execute(database.em().getKysely());
}
