import type { EntityDictionary, EntityName, QBFilterQuery } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';
import { HELD_CHANGED_AT } from './sync-mark.ts';
import { prepared, type EntityManager } from './statements.ts';
import type { RawRow } from './row-reader.ts';

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

export interface Locked {
  tenantName: string;
  /**
   * The instant of the change: the database's clock in whole milliseconds once the row is held, and later than the row's
   * last change, and not before a mark that was given out, even when that clock was set back.
   */
  now: Date;
}

/**
 * Reads a clinic's row with the clinic's name and locks it until the transaction ends; null when none matches
 * `condition`, where the row is called `held`. It waits for concurrent transactions and checks the condition again. One
 * round trip instead of MikroORM's three.
 */
export async function lockWithClinic(
  em: EntityManager,
  reader: { table: string; columns: RawBuilder<unknown> },
  { tenantId, id }: { tenantId: string; id: string },
  condition: RawBuilder<unknown> = sql`true`,
): Promise<(Locked & { row: RawRow }) | null> {
  // The clock is read outside the subquery: PostgreSQL computes columns next to FOR UPDATE before it waits for the
  // lock.
  const rows = await prepared<RawRow & { tenant_name: string; locked_at: string }>(em)`
    SELECT
      ${reader.columns}, tenant_name,
      ${HELD_CHANGED_AT} AS locked_at
    FROM (
      SELECT held.*, tenant.name AS tenant_name
      FROM ${sql.table(reader.table)} held
      JOIN tenant ON tenant.id = held.tenant_id
      WHERE held.tenant_id = ${tenantId}
        AND held.id = ${id}
        AND ${condition}
      FOR NO KEY UPDATE OF held
    ) locked
  `;
  if (!rows[0]) return null;
  const { tenant_name: tenantName, locked_at: lockedAt, ...row } = rows[0];
  return { row, tenantName, now: em.getPlatform().parseDate(lockedAt) };
}

/**
 * How long a statement waits for another transaction; then it fails with SQLSTATE 55P03, together with everything in
 * it. The total run time is limited in open-database.ts.
 */
export const WAIT_FOR_RIVALS_MS = { alone: 5000, together: 250 };

/** `SET LOCAL` as a one-row table, because the statement has no transaction in which to set it. */
export function lockTimeout(milliseconds: number): RawBuilder<unknown> {
  return sql`set_config('lock_timeout', ${String(milliseconds)}, true)`;
}
