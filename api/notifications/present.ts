import type { NotificationRow } from '../../db/entities/webhooks/notification.entity.ts';
import { notificationMessage } from '../../domain/webhooks/endpoint-notification.ts';
import { presented } from '../../domain/presented.schema.ts';
import { notificationSchema } from './contract.ts';

export function presentNotification(row: NotificationRow) {
  return presented(notificationSchema, { ...row, message: notificationMessage(row) });
}
