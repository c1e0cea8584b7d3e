import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { MailState, NotificationKind } from '../../domain/webhooks/endpoint-notification.ts';

export const NotificationEntity = defineEntity({
  name: 'Notification',
  tableName: 'notification',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    kind: p.text().$type<NotificationKind>(),
    endpointId: p.uuid(),
    endpointUrl: p.text(),
    deactivateAt: p.datetime(3),
    mail: p.text().$type<MailState>(),
    emailedAt: p.datetime(3).strictNullable(),
    readAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
  },
});
export type NotificationRow = InferEntity<typeof NotificationEntity>;
