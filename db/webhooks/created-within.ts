import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { firstIdAt } from '../../domain/first-id.ts';

/** A range of creation times; open by default. */
export interface CreationTime {
  /** Inclusive. */
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
}

/**
 * The maximum difference between `created_at` and the time in the ID, which come from two clocks at different moments
 * of a transaction.
 */
const APART_MS = 600_000;

/**
 * Conditions for rows with UUIDv7 IDs. The conditions on `id` exclude no further rows; they let PostgreSQL use the
 * list's index: test/db/plans/list-plans.test.ts
 */
export function createdWithin({ since, until }: CreationTime): RawBuilder<SqlBool>[] {
  return [
    ...(since ? [sql<SqlBool>`created_at >= ${since}`, sql<SqlBool>`id >= ${lowestIdSince(since)}`] : []),
    ...(until ? [sql<SqlBool>`created_at < ${until}`, sql<SqlBool>`id < ${firstIdAt(until, APART_MS)}`] : []),
  ];
}

/** No row created at that time or later has a lower id. */
export function lowestIdSince(since: Date): string {
  return firstIdAt(since, -APART_MS);
}
