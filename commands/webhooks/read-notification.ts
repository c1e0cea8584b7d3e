import type { EntityManager } from '../../db/connection/open-database.ts';
import { lockRow } from '../../db/connection/locks.ts';
import { NotificationEntity, type NotificationRow } from '../../db/entities/webhooks/notification.entity.ts';
import { requireFound } from '../require-found.ts';

/** Marks a notification as read; if it was read before, the first time is kept. Errors: `not_found`. */
export async function readNotification(
  em: EntityManager,
  { tenantId, notificationId }: { tenantId: string; notificationId: string },
  now: Date,
): Promise<NotificationRow> {
  const held = await lockRow(em, NotificationEntity, { tenantId, id: notificationId });
  const notification = requireFound(held, 'notification', notificationId);
  notification.readAt ??= now;
  await em.flush();
  return notification;
}
