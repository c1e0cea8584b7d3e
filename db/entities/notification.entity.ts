import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { MailState, NotificationKind } from '../../domain/webhooks/endpoint-notification.ts';
import { millisecondInstant } from '../connection/column-types.ts';

export const NotificationEntity = defineEntity({
  name: 'Notification',
  tableName: 'notification',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    kind: p.text().$type<NotificationKind>(),
    endpointId: p.uuid(),
    endpointUrl: p.text(),
    deactivateAt: millisecondInstant(),
    mail: p.text().$type<MailState>(),
    emailedAt: millisecondInstant().strictNullable(),
    readAt: millisecondInstant().strictNullable(),
    createdAt: millisecondInstant(),
  },
});
export type NotificationRow = InferEntity<typeof NotificationEntity>;
