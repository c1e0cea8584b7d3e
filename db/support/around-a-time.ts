import { sql } from 'kysely';
import { z } from 'zod';
import { columnsOf } from '../connection/columns.ts';
import { rowsOf, type EntityManager } from '../connection/statements.ts';
import { firstIdAt } from '../../domain/first-id.ts';

/** A clinic and a time. */
export interface ClinicAt {
  tenantId: string;
  at: Date;
}

const APPOINTMENT_THEN = columnsOf(
  'appointment',
  'id',
  'tenantId',
  'startsAt',
  'endsAt',
  'checkedInAt',
  'status',
).extend({
  /** The number of its deliveries. */
  deliveries: z.number(),
  arrived: z.number(),
});
export type AppointmentThen = z.infer<typeof APPOINTMENT_THEN>;

/** How far from the given time appointments and deliveries are searched. */
const AROUND_MS = 15 * 60_000;

/** Appointments that start around that time, nearest first. */
export function findAppointmentsAt(em: EntityManager, clinics: readonly ClinicAt[], limit: number) {
  return rowsOf(em, APPOINTMENT_THEN)`
    SELECT found.id, clinic.tenant_id, found.starts_at, found.ends_at, found.checked_in_at, found.status, sent.deliveries, sent.arrived
    FROM ${momentsOf(clinics)}
    CROSS JOIN LATERAL (
      SELECT id, starts_at, ends_at, checked_in_at, status
      FROM appointment
      WHERE tenant_id = clinic.tenant_id AND starts_at BETWEEN clinic.since AND clinic.until
      ORDER BY abs(extract(epoch FROM starts_at - clinic.at)), id
      LIMIT ${limit}
    ) found
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS deliveries, count(*) FILTER (WHERE status = 'succeeded')::integer AS arrived
      FROM webhook_delivery
      WHERE appointment_id = found.id
    ) sent
    ORDER BY abs(extract(epoch FROM found.starts_at - clinic.at)), found.id
    LIMIT ${limit}
  `;
}

const DELIVERY_THEN = columnsOf(
  'webhook_delivery',
  'id',
  'tenantId',
  'eventType',
  'status',
  'createdAt',
).extend({
  url: z.string(),
  /** Why the last attempt failed. */
  ...columnsOf('webhook_attempt', 'errorClass', 'tlsFault').shape,
});
export type DeliveryThen = z.infer<typeof DELIVERY_THEN>;

/** Deliveries of events from around that time, undelivered ones first. */
export function findDeliveriesAt(em: EntityManager, clinics: readonly ClinicAt[], limit: number) {
  return rowsOf(em, DELIVERY_THEN)`
    SELECT
      found.id, clinic.tenant_id, found.event_type, found.status, attempt.error_class, attempt.tls_fault, found.created_at,
      endpoint.url
    FROM ${momentsOf(clinics)}
    CROSS JOIN LATERAL (
      SELECT id, event_type, status, attempt_count, created_at, endpoint_id
      FROM webhook_delivery
      WHERE tenant_id = clinic.tenant_id AND id BETWEEN clinic.first_id AND clinic.last_id
      ORDER BY status = 'succeeded', id
      LIMIT ${limit}
    ) found
    JOIN webhook_endpoint endpoint ON endpoint.id = found.endpoint_id
    LEFT JOIN webhook_attempt attempt ON attempt.delivery_id = found.id AND attempt.number = found.attempt_count
    ORDER BY found.status = 'succeeded', found.id
    LIMIT ${limit}
  `;
}

/** The clinics as `clinic`, with the time range around the instant. */
function momentsOf(clinics: readonly ClinicAt[]) {
  const instants = (ms: number) => clinics.map(({ at }) => new Date(at.getTime() + ms).toISOString());
  const ids = (ms: number) => clinics.map(({ at }) => firstIdAt(at, ms));
  return sql`
    unnest(
      ${clinics.map(({ tenantId }) => tenantId)}::uuid[], ${instants(0)}::timestamptz[],
      ${instants(-AROUND_MS)}::timestamptz[], ${instants(AROUND_MS)}::timestamptz[],
      ${ids(-AROUND_MS)}::uuid[], ${ids(AROUND_MS)}::uuid[]
    ) clinic (tenant_id, at, since, until, first_id, last_id)
  `;
}
