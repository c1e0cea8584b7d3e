import { sql } from 'kysely';
import {
  PROGRESS_COLUMNS,
  toProgress,
  type DeliveryProgress,
  type ProgressRow,
} from './delivery-progress.ts';
import { prepared, type EntityManager, type RowOf } from '../../connection/statements.ts';

type Delivery = RowOf<
  'webhook_delivery',
  'tenantId' | 'appointmentId' | 'eventId' | 'eventType' | 'endpointId'
>;
type Event = RowOf<'webhook_event', 'body' | 'traceParent'>;

/** What an attempt, and the workflow that tells of it, needs to know; the body as it is stored until it is opened. */
export interface DeliveryToAttempt extends Delivery, Event, RowOf<'webhook_endpoint', 'url'> {
  deliveryId: string;
  /** When it was asked for, with its event as a rule. */
  askedAtMs: number;
  /** When this was read, by the database's clock. */
  readAtMs: number;
  progress: DeliveryProgress;
  /** Stands in the body. */
  eventCreatedAtMs: number;
  /** Since when the endpoint has been there for certain; null: since it was made. */
  correctedAtMs: number | null;
  /** Of the URL, with its port. */
  host: string;
  endpointStatus: RowOf<'webhook_endpoint'>['status'];
  isEndpointDeleted: boolean;
  isClinicCanceled: boolean;
  /** Encrypted, newest first; the ones that are valid now. */
  secretCiphertexts: string[];
}

export type DeliveryToAttemptRow = ProgressRow & Omit<DeliveryToAttempt, 'progress'>;

/** Columns of a `DeliveryToAttemptRow`; they need the tables of `DELIVERY_TO_ATTEMPT_TABLES`. */
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
 * What is joined to the table `delivery`: by the primary keys alone, because with the clinic PostgreSQL may take another index,
 * and read all events of the clinic for each. The foreign keys see to it that the clinic is the same.
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
