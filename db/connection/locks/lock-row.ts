import type { EntityDictionary, EntityName, QBFilterQuery } from '@mikro-orm/postgresql';
import type { EntityManager } from '../open-database.ts';

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
