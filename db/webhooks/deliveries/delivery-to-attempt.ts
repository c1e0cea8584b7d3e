import { sql } from 'kysely';
import {
  PROGRESS_COLUMNS,
  toProgress,
  type DeliveryProgress,
  type ProgressRow,
} from './delivery-progress.ts';
import { type EntityManager, type RowOf } from '../../connection/statements.ts';
import { prepared } from '../../connection/unchecked-statements.ts';

type Delivery = RowOf<
  'webhook_delivery',
  'tenantId' | 'appointmentId' | 'eventId' | 'eventType' | 'endpointId'
>;
type Event = RowOf<'webhook_event', 'body' | 'traceParent'>;

/** The data for an attempt and its workflow; the body is still encrypted. */
export interface DeliveryToAttempt extends Delivery, Event, RowOf<'webhook_endpoint', 'url'> {
  deliveryId: string;
  /** When it was requested, usually together with its event. */
  askedAtMs: number;
  /** The time of this read, by the database's clock. */
  readAtMs: number;
  progress: DeliveryProgress;
  /** Part of the body. */
  eventCreatedAtMs: number;
  /** Since when the endpoint is known to be healthy; null: since its creation. */
  correctedAtMs: number | null;
  /** Of the URL, with its port. */
  host: string;
  endpointStatus: RowOf<'webhook_endpoint'>['status'];
  isEndpointDeleted: boolean;
  isClinicCanceled: boolean;
  /** Encrypted, newest first; only currently valid ones. */
  secretCiphertexts: string[];
}

export type DeliveryToAttemptRow = ProgressRow & Omit<DeliveryToAttempt, 'progress'>;

/** The columns of a `DeliveryToAttemptRow`, from `DELIVERY_TO_ATTEMPT_TABLES`. */
export const DELIVERY_TO_ATTEMPT_COLUMNS = sql`
  ${PROGRESS_COLUMNS},
  delivery.id AS "deliveryId",
  delivery.tenant_id AS "tenantId",
  delivery.appointment_id AS "appointmentId",
  (extract(epoch FROM delivery.created_at) * 1000)::float8 AS "askedAtMs",
  (extract(epoch FROM statement_timestamp()) * 1000)::float8 AS "readAtMs",
  delivery.event_id AS "eventId",
  delivery.event_type AS "eventType",
  (extract(epoch FROM event.created_at) * 1000)::float8 AS "eventCreatedAtMs",
  event.body,
  event.trace_parent AS "traceParent",
  endpoint.id AS "endpointId",
  endpoint.url,
  (extract(epoch FROM endpoint.corrected_at) * 1000)::float8 AS "correctedAtMs",
  endpoint.host,
  endpoint.status AS "endpointStatus",
  endpoint.deleted_at IS NOT NULL AS "isEndpointDeleted",
  (SELECT status = 'canceled' FROM tenant WHERE tenant.id = delivery.tenant_id) AS "isClinicCanceled",
  ARRAY(
    SELECT secret.ciphertext
    FROM webhook_secret secret
    WHERE secret.endpoint_id = endpoint.id
      AND (secret.expires_at IS NULL OR secret.expires_at > clock_timestamp())
    ORDER BY secret.created_at DESC, secret.id DESC
  ) AS "secretCiphertexts"
`;

/**
 * Joined to the table `delivery` by primary keys only: with the clinic, PostgreSQL might use another index and read all
 * the clinic's events for each. Foreign keys guarantee that the clinic matches.
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
  const rows = await prepared<DeliveryToAttemptRow>(em)`
    SELECT ${DELIVERY_TO_ATTEMPT_COLUMNS}
    FROM webhook_delivery delivery
    ${DELIVERY_TO_ATTEMPT_TABLES}
    WHERE delivery.tenant_id = ${tenantId}
      AND delivery.id = ${deliveryId}
  `;
  return rows[0] ? { ...rows[0], progress: toProgress(rows[0]) } : null;
}
