import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { firstIdAt } from '../../domain/first-id.ts';

/** When rows were created; without an end by default. */
export interface CreationTime {
  /** Inclusive. */
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
}

/** So far may `created_at` and the time in the id be apart: different clocks made them, at the two ends of a transaction. */
const APART_MS = 600_000;

/**
 * Conditions for rows of a table whose ids are UUIDv7. Those on `id` exclude no row that the others let through; they lead
 * PostgreSQL to the part of the list's index where such rows can be: test/db/plans/list-plans.test.ts
 */
export function createdWithin({ since, until }: CreationTime): RawBuilder<SqlBool>[] {
  return [
    ...(since ? [sql<SqlBool>`created_at >= ${since}`, sql<SqlBool>`id >= ${lowestIdSince(since)}`] : []),
    ...(until ? [sql<SqlBool>`created_at < ${until}`, sql<SqlBool>`id < ${firstIdAt(until, APART_MS)}`] : []),
  ];
}

/** No row that was created at that instant or later has a lower id. */
export function lowestIdSince(since: Date): string {
  return firstIdAt(since, -APART_MS);
}
