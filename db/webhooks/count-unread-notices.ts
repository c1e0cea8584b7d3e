import { countUpTo, tables, type EntityManager } from '../connection/statements.ts';

/**
 * How many notices nobody at the clinic has taken note of. Planned for this clinic each time: a plan for any clinic would read
 * the whole table where one has most of it. @param atMost more are not counted
 */
export function countUnreadNotices(em: EntityManager, tenantId: string, atMost: number): Promise<number> {
  const notices = tables(em).selectFrom('notification').where('tenantId', '=', tenantId);
  return countUpTo(em, notices.where('readAt', 'is', null), atMost);
}
