import { sql, type RawBuilder } from 'kysely';
import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import type { ErrorClass } from '../../../domain/webhooks/attempt-error.ts';
import { createdWithin, type CreationTime } from '../created-within.ts';
import { withAttempts, withExcerpts, type DeliveryWithAttempts } from './deliveries-with-attempts.ts';
import type { WebhookAttemptRow } from '../../entities/webhook-attempt.entity.ts';
import { WebhookDeliveryEntity, type WebhookDeliveryRow } from '../../entities/webhook-delivery.entity.ts';
import type { EntityManager } from '../../connection/open-database.ts';
import { rowReader, type RawRow } from '../../connection/row-reader.ts';

export interface WantedDeliveries extends CreationTime {
  /** Of all clinics unless told: for operators. */
  tenantId?: string | undefined;
  endpointId?: string | undefined;
  status?: DeliveryStatus | undefined;
  eventType?: string | undefined;
  eventId?: string | undefined;
  appointmentId?: string | undefined;
  /** Of any of these appointments. */
  ofAppointments?: readonly string[] | undefined;
  /** Whose last failed attempt failed so. */
  errorClass?: ErrorClass | undefined;
  /** The id of the last one already shown. */
  before?: string | undefined;
  limit: number;
}

const deliveryReader = rowReader<WebhookDeliveryRow>(WebhookDeliveryEntity);

/** Deliveries with their attempts, newest first. */
export async function listDeliveries(
  em: EntityManager,
  wanted: WantedDeliveries,
): Promise<DeliveryWithAttempts[]> {
  const { rows } = await sql<RawRow>`
    SELECT ${deliveryReader.columns} FROM webhook_delivery
    WHERE ${sql.join(conditions(wanted), sql` AND `)}
    ORDER BY id DESC
    LIMIT ${wanted.limit}
  `.execute(em.getKysely());
  return withAttempts(
    em,
    rows.map((row) => deliveryReader.read(em, row)),
  );
}

function conditions(wanted: WantedDeliveries): RawBuilder<unknown>[] {
  const { tenantId, endpointId, status, eventType, eventId, errorClass, before } = wanted;
  const { appointmentId, ofAppointments } = wanted;
  return [
    sql`true`,
    ...(tenantId ? [sql`tenant_id = ${tenantId}`] : []),
    ...(endpointId ? [sql`endpoint_id = ${endpointId}`] : []),
    ...(status ? [sql`status = ${status}`] : []),
    ...(eventType ? [sql`event_type = ${eventType}`] : []),
    ...(eventId ? [sql`event_id = ${eventId}`] : []),
    ...(appointmentId ? [sql`appointment_id = ${appointmentId}`] : []),
    ...(ofAppointments ? [sql`appointment_id = ANY(${ofAppointments}::uuid[])`] : []),
    ...(errorClass ? [sql`last_error_class = ${errorClass}`] : []),
    ...createdWithin(wanted),
    ...(before ? [sql`id < ${before}`] : []),
  ];
}

/** With what the receiver answered; null when the clinic has no such delivery. */
export async function findDelivery(
  em: EntityManager,
  tenantId: string,
  id: string,
): Promise<DeliveryWithAttempts<WebhookAttemptRow> | null> {
  const delivery = await em.findOne(WebhookDeliveryEntity, { tenantId, id });
  return delivery && withExcerpts(em, delivery);
}
