import { sql, type SelectQueryBuilder } from 'kysely';
import type { EntityManager } from './open-database.ts';
import { tables, type Tables } from './tables.ts';

/** How many rows are found; counts no further than `atMost`, if that is told. */
export async function countUpTo<Table extends keyof Tables>(
  em: EntityManager,
  rows: SelectQueryBuilder<Tables, Table, object>,
  atMost: number | null,
): Promise<number> {
  const found = tables(em).selectFrom(rows.limit(atMost).as('found'));
  const { count } = await found.select(sql<number>`count(*)::integer`.as('count')).executeTakeFirstOrThrow();
  return count;
}
