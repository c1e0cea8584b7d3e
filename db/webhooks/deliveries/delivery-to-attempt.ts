import { ENDPOINT_STATUSES } from '../../../domain/webhooks/endpoint-status.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import { PROGRESS, PROGRESS_COLUMNS, toProgress, type DeliveryProgress } from './delivery-progress.ts';
import { columnsOf } from '../../connection/columns.ts';
import { firstRow, prepared, type EntityManager } from '../../connection/statements.ts';

export const DELIVERY_TO_ATTEMPT = columnsOf(
  'webhook_delivery',
  'tenantId',
  'appointmentId',
  'eventId',
  'eventType',
  'endpointId',
).extend({
  ...PROGRESS.shape,
  ...columnsOf('webhook_event', 'body', 'traceParent').shape,
  deliveryId: z.string(),
  /** When the delivery was requested, usually together with its event. */
  askedAtMs: z.number(),
  /** The time of this read, by the database's clock. */
  readAtMs: z.number(),
  /** The time in the event's body. */
  eventCreatedAtMs: z.number(),
  url: z.string(),
  /** Since when the endpoint has been known to be healthy; null: since it was created. */
  correctedAtMs: z.number().nullable(),
  /** The host of the URL, with its port. */
  host: z.string(),
  endpointStatus: z.enum(ENDPOINT_STATUSES),
  isEndpointDeleted: z.boolean(),
  /** How much longer the endpoint is paused; null or not positive when it is not. */
  pausedForMs: z.number().nullable(),
  isClinicCanceled: z.boolean(),
  /** The encrypted secrets that are currently valid, newest first. */
  secretCiphertexts: z.array(z.string()),
  /** The endpoint's own headers, encrypted; null without any. */
  headersCiphertext: z.string().nullable(),
});

/** The data that an attempt and its workflow need. The body is encrypted until it is opened. */
export interface DeliveryToAttempt extends Omit<z.infer<typeof DELIVERY_TO_ATTEMPT>, keyof DeliveryProgress> {
  progress: DeliveryProgress;
}

/** Columns of `DELIVERY_TO_ATTEMPT`; they need the tables of `DELIVERY_TO_ATTEMPT_TABLES`. */
export const DELIVERY_TO_ATTEMPT_COLUMNS = sql`
  ${PROGRESS_COLUMNS},
  delivery.id AS delivery_id,
  delivery.tenant_id,
  delivery.appointment_id,
  (extract(epoch FROM delivery.created_at) * 1000)::float8 AS asked_at_ms,
  (extract(epoch FROM statement_timestamp()) * 1000)::float8 AS read_at_ms,
  delivery.event_id,
  delivery.event_type,
  (extract(epoch FROM event.created_at) * 1000)::float8 AS event_created_at_ms,
  event.body,
  event.trace_parent,
  endpoint.id AS endpoint_id,
  endpoint.url,
  (extract(epoch FROM endpoint.corrected_at) * 1000)::float8 AS corrected_at_ms,
  endpoint.host,
  endpoint.status AS endpoint_status,
  endpoint.deleted_at IS NOT NULL AS is_endpoint_deleted,
  (extract(epoch FROM endpoint.paused_until - clock_timestamp()) * 1000)::float8 AS paused_for_ms,
  endpoint.headers_ciphertext,
  (SELECT status = 'canceled' FROM tenant WHERE tenant.id = delivery.tenant_id) AS is_clinic_canceled,
  ARRAY(
    SELECT secret.ciphertext
    FROM webhook_secret secret
    WHERE secret.endpoint_id = endpoint.id
      AND (secret.expires_at IS NULL OR secret.expires_at > clock_timestamp())
    ORDER BY secret.created_at DESC, secret.id DESC
  ) AS secret_ciphertexts
`;

/**
 * Tables joined to `delivery` by primary keys only. With the clinic in the condition, PostgreSQL might use another
 * index and read all of the clinic's events for each row. Foreign keys guarantee that the clinic matches.
 */
export const DELIVERY_TO_ATTEMPT_TABLES = sql`
  JOIN webhook_event event ON event.id = delivery.event_id
  JOIN webhook_endpoint endpoint ON endpoint.id = delivery.endpoint_id
  LEFT JOIN webhook_attempt last_attempt
    ON last_attempt.delivery_id = delivery.id AND last_attempt.number = delivery.attempt_count
`;

/** Null when the clinic has no such delivery. */
export async function findDeliveryToAttempt(
  em: EntityManager,
  tenantId: string,
  deliveryId: string,
): Promise<DeliveryToAttempt | null> {
  const row = await firstRow(prepared(em), DELIVERY_TO_ATTEMPT)`
    SELECT ${DELIVERY_TO_ATTEMPT_COLUMNS}
    FROM webhook_delivery delivery
    ${DELIVERY_TO_ATTEMPT_TABLES}
    WHERE delivery.tenant_id = ${tenantId}
      AND delivery.id = ${deliveryId}
  `;
  return row && { ...row, progress: toProgress(row) };
}
