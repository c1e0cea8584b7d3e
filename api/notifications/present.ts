import type { NotificationRow } from '../../db/entities/notification.entity.ts';
import { notificationMessage } from '../../domain/webhooks/endpoint-notification.ts';

export function presentNotification(row: NotificationRow) {
  return {
    id: row.id,
    kind: row.kind,
    endpointId: row.endpointId,
    createdAt: row.createdAt.toISOString(),
    emailedAt: row.emailedAt?.toISOString() ?? null,
    readAt: row.readAt?.toISOString() ?? null,
    message: notificationMessage(row),
  };
}
