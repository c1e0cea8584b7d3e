import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { MailState, NotificationKind } from '../../../domain/webhooks/endpoint-notification.ts';

export const NotificationEntity = defineEntity({
  name: 'Notification',
  tableName: 'notification',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    kind: p.text().$type<NotificationKind>(),
    /** Null when it is about an appointment. */
    endpointId: p.uuid().strictNullable(),
    /** Null also for a pull endpoint, which is never disabled. */
    endpointUrl: p.text().strictNullable(),
    deactivateAt: p.datetime(3).strictNullable(),
    mail: p.text().$type<MailState>(),
    emailedAt: p.datetime(3).strictNullable(),
    readAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
    appointmentId: p.uuid().strictNullable(),
    /** The version that the clinic's other system has not written. */
    appointmentVersion: p.integer().strictNullable(),
  },
});
export type NotificationRow = InferEntity<typeof NotificationEntity>;
