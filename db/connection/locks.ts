import type { EntityDictionary, EntityName, QBFilterQuery } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';
import { HELD_CHANGED_AT } from './sync-mark.ts';
import { prepared, type EntityManager } from './statements.ts';
import type { RawRow } from './row-reader.ts';

/**
 * The one row of which `where` is true, held against other changes until the transaction ends; null when there is none.
 * MikroORM itself can lock FOR UPDATE only, which also keeps those waiting who insert rows that refer to this one.
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
 * Reads a clinic's row with the clinic's name and holds it until the transaction ends; null when there is none of which
 * `condition` is true, where the row is called `held`. A rival that holds the row is waited for, and the question is asked
 * again of what it left. One round trip for what MikroORM needs three.
 */
export async function lockWithClinic(
  em: EntityManager,
  reader: { table: string; columns: RawBuilder<unknown> },
  { tenantId, id }: { tenantId: string; id: string },
  condition: RawBuilder<unknown> = sql`true`,
): Promise<(Locked & { row: RawRow }) | null> {
  // The clock is read outside the subquery: PostgreSQL computes what stands beside FOR UPDATE before it waits for the lock.
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
 * How long a statement waits for a rival's transaction; then it fails with SQLSTATE 55P03, and all that is written together
 * with it. How long one may run at all: open-database.ts.
 */
export const WAIT_FOR_RIVALS_MS = { alone: 5000, together: 250 };

/** `SET LOCAL` as a table of one row: what waits is the statement itself, which has no transaction around it to set it in. */
export function lockTimeout(milliseconds: number): RawBuilder<unknown> {
  return sql`set_config('lock_timeout', ${String(milliseconds)}, true)`;
}
