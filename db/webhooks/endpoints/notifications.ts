import type { CreationTime } from '../created-within.ts';
import { NotificationEntity, type NotificationRow } from '../../entities/webhooks/notification.entity.ts';
import { countUpTo, tables, type EntityManager } from '../../connection/statements.ts';
import type { MailState } from '../../../domain/webhooks/endpoint-notification.ts';

/**
 * The clinic's notifications, newest first. @param before the ID of the last notification already shown @param isUnread
 * only unread notifications
 */
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
 * The number of the clinic's unread alerts. The statement is planned for each clinic, because a generic plan would scan
 * the table if one clinic has most of the rows. @param atMost where counting stops
 */
export function countUnreadAlerts(em: EntityManager, tenantId: string, atMost: number): Promise<number> {
  const notices = tables(em).selectFrom('notification').where('tenantId', '=', tenantId);
  return countUpTo(em, notices.where('readAt', 'is', null), atMost);
}

/** The unsent notifications of an endpoint, oldest first. */
export function notificationsToMail(em: EntityManager, endpoint: { tenantId: string; endpointId: string }) {
  return em.find(NotificationEntity, { ...endpoint, mail: 'due' }, { orderBy: { id: 'asc' } });
}

/**
 * Records the state of a mail, unless another process has recorded it. No row is locked while the mail server is used.
 */
export async function recordMail(
  em: EntityManager,
  { tenantId, id }: { tenantId: string; id: string },
  mail: { state: 'sent'; at: Date } | { state: Exclude<MailState, 'sent' | 'due'> },
): Promise<void> {
  const emailedAt = mail.state === 'sent' ? mail.at : null;
  await em.nativeUpdate(NotificationEntity, { tenantId, id, mail: 'due' }, { mail: mail.state, emailedAt });
}
