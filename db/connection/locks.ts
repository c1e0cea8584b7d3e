import type { EntityDictionary, EntityName, QBFilterQuery } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { firstRow, prepared, type EntityManager } from './statements.ts';
import { HELD_CHANGED_AT } from './sync-mark.ts';

/**
 * Locks the row that matches `where` against other changes until the transaction ends; null when there is none.
 * MikroORM can only lock FOR UPDATE, which also blocks inserts that reference the row.
 */
export async function lockRow<Entity extends object>(
  em: EntityManager,
  entity: EntityName<Entity>,
  where: QBFilterQuery<Entity>,
): Promise<Entity | null> {
  const { sql, params } = em.createQueryBuilder(entity).where(where).toRaw();
  const [row] = await em.execute<EntityDictionary<Entity>[]>(`${sql} FOR NO KEY UPDATE`, [...params]);
  return row ? em.map(entity, row) : null;
}

/** The columns that are read together with a locked row. */
export const LOCKED = {
  tenantName: z.string(),
  /**
   * The time of the change: the database's clock, in whole milliseconds, after the row is locked. It is later than the
   * row's last change and not before a sync mark that was returned, even if the clock was set back.
   */
  now: z.date(),
};
export type Locked = z.infer<z.ZodObject<typeof LOCKED>>;

/**
 * Reads a clinic's row together with `LOCKED`, and locks the row until the transaction ends; null when no row matches.
 * In `condition`, the row is called `held`. Waits for concurrent transactions and then checks the condition again. One
 * round trip instead of MikroORM's three.
 */
export function lockWithClinic<Row extends z.ZodType>(
  em: EntityManager,
  { table, columns, row }: { table: string; columns: RawBuilder<unknown>; row: Row },
  { tenantId, id }: { tenantId: string; id: string },
  condition: RawBuilder<unknown> = sql`true`,
) {
  // The clock is read outside the subquery: PostgreSQL computes columns next to FOR UPDATE before it waits for the
  // lock.
  return firstRow(prepared(em), row)`
    SELECT
      ${columns}, tenant_name,
      ${HELD_CHANGED_AT} AS now
    FROM (
      SELECT held.*, tenant.name AS tenant_name
      FROM ${sql.table(table)} held
      JOIN tenant ON tenant.id = held.tenant_id
      WHERE held.tenant_id = ${tenantId}
        AND held.id = ${id}
        AND ${condition}
      FOR NO KEY UPDATE OF held
    ) locked
  `;
}

/**
 * How long a statement waits for another transaction before it fails with SQLSTATE 55P03. The total run time is limited
 * in open-database.ts.
 */
export const WAIT_FOR_RIVALS_MS = { alone: 5000, together: 250 };

/** `SET LOCAL` as a one-row table, because the statement has no transaction in which to set it. */
export function lockTimeout(milliseconds: number): RawBuilder<unknown> {
  return sql`set_config('lock_timeout', ${String(milliseconds)}, true)`;
}
