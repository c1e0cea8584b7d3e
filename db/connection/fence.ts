import { sql } from 'kysely';

/**
 * Ends a subquery that PostgreSQL must not join with what is around it, so that each row is looked up by its key, also when the
 * tables were nearly empty as it planned: docs/decisions/0031-plans-that-stay-right.md
 */
export const FENCE = sql`OFFSET 0`;
