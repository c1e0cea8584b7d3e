import type { CreationTime } from '../created-within.ts';
import { NotificationEntity, type NotificationRow } from '../../entities/notification.entity.ts';
import type { EntityManager } from '../../connection/open-database.ts';

/** The clinic's notifications, newest first. @param before the id of the last one already shown @param isUnread only those that nobody has taken note of */
export function listNotifications(
  em: EntityManager,
  wanted: CreationTime & { tenantId: string; before?: string | undefined; isUnread?: boolean; limit: number },
): Promise<NotificationRow[]> {
  const { tenantId, before, isUnread = false, since, until, limit } = wanted;
  const createdAt = { ...(since && { $gte: since }), ...(until && { $lt: until }) };
  const where = {
    tenantId,
    ...((since ?? until) && { createdAt }),
    ...(before && { id: { $lt: before } }),
    ...(isUnread && { readAt: null }),
  };
  return em.find(NotificationEntity, where, { orderBy: { id: 'desc' }, limit });
}
