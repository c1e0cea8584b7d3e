import { sql } from 'kysely';

/** What `awaitedFrom` of the domain says of a row; `greatest` passes over null. */
export const AWAITED_FROM = sql`greatest(starts_at, reinstated_at)`;
