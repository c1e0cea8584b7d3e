import type { CreationTime } from '../created-within.ts';
import { NotificationEntity, type NotificationRow } from '../../entities/notification.entity.ts';
import { countUpTo, tables, type EntityManager } from '../../connection/statements.ts';
import type { MailState } from '../../../domain/webhooks/endpoint-notification.ts';

/** The clinic's notifications, newest first. @param before the id of the last one already shown @param isUnread only those that no one has taken note of */
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

/**
 * How many notices no one at the clinic has taken note of. Planned for this clinic each time: a plan for any clinic would read
 * the whole table where one has most of it. @param atMost more are not counted
 */
export function countUnreadAlerts(em: EntityManager, tenantId: string, atMost: number): Promise<number> {
  const notices = tables(em).selectFrom('notification').where('tenantId', '=', tenantId);
  return countUpTo(em, notices.where('readAt', 'is', null), atMost);
}

/** The notifications of an endpoint whose mail has not been sent yet, oldest first. */
export function notificationsToMail(em: EntityManager, endpoint: { tenantId: string; endpointId: string }) {
  return em.find(NotificationEntity, { ...endpoint, mail: 'due' }, { orderBy: { id: 'asc' } });
}

/** Changes nothing when another has recorded it already: no row is held while the mail server is talked to. */
export async function recordMail(
  em: EntityManager,
  { tenantId, id }: { tenantId: string; id: string },
  mail: { state: 'sent'; at: Date } | { state: Exclude<MailState, 'sent' | 'due'> },
): Promise<void> {
  const emailedAt = mail.state === 'sent' ? mail.at : null;
  await em.nativeUpdate(NotificationEntity, { tenantId, id, mail: 'due' }, { mail: mail.state, emailedAt });
}
