import { sql } from 'kysely';

/**
 * Ends a subquery that PostgreSQL must not merge with the surrounding query, so that each row is looked up by its key
 * even if the tables were nearly empty when the statement was planned: docs/decisions/0031-plans-that-stay-right.md
 */
export const FENCE = sql`OFFSET 0`;
