import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { AppointmentStatus } from '../../../domain/appointments/appointment-status.ts';
import type { AppointmentRow } from '../../entities/appointment.entity.ts';
import { MAX_PAGE_BYTES } from '../../../domain/lists/largest-page.ts';
import { rowsOf, type EntityManager } from '../../connection/statements.ts';
import { openRows } from '../../encryption/field-seal.ts';
import { APPOINTMENT_COLUMNS, STORED_APPOINTMENT } from '../appointment-reader.ts';

export interface AppointmentFilter {
  tenantId: string;
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
  professionalId?: string;
  status?: AppointmentStatus;
  externalId?: string;
  patientExternalId?: string;
  /** All hashes under which the phone may be stored. */
  patientPhoneHashes?: readonly string[];
  callId?: string;
  /** Whether the latest version is acknowledged as written. */
  isAcknowledged?: boolean | undefined;
}

/** A position in the list: the last appointment already seen. */
export type AppointmentPosition = Pick<AppointmentRow, 'startsAt' | 'id'>;

/** The clinic's appointments after `after`, ordered by (`startsAt`, `id`). */
export function listAppointments(
  em: EntityManager,
  filter: AppointmentFilter,
  page: { limit: number; after?: AppointmentPosition | undefined },
): Promise<AppointmentPage> {
  const { after } = page;
  const conditions = [
    ...appointmentConditions(filter),
    ...(after ? [sql`(starts_at, id) > (${after.startsAt}, ${after.id}::uuid)`] : []),
  ];
  return readAppointmentPage(em, conditions, sql`starts_at, id`, page.limit);
}

export function appointmentConditions(filter: AppointmentFilter): RawBuilder<unknown>[] {
  const { tenantId, from, to, professionalId, status, externalId } = filter;
  const { patientExternalId, patientPhoneHashes, callId, isAcknowledged } = filter;
  return [
    sql`tenant_id = ${tenantId}`,
    ...(from ? [sql`starts_at >= ${from}`] : []),
    ...(to ? [sql`starts_at < ${to}`] : []),
    ...(professionalId ? [sql`professional_id = ${professionalId}`] : []),
    ...(status ? [sql`status = ${status}`] : []),
    ...(externalId === undefined ? [] : [sql`external_id = ${externalId}`]),
    ...(patientExternalId === undefined ? [] : [sql`patient_external_id = ${patientExternalId}`]),
    ...(callId === undefined ? [] : [sql`call_id = ${callId}`]),
    ...(isAcknowledged === undefined ? [] : [isWritten(isAcknowledged)]),
    ...(patientPhoneHashes === undefined ? [] : [hasOneOf(patientPhoneHashes)]),
  ];
}

function isWritten(wanted: boolean): RawBuilder<unknown> {
  const is = wanted ? sql`IS TRUE` : sql`IS NOT TRUE`;
  return sql`(acknowledged_version = version AND acknowledged_state = 'written') ${is}`;
}

function hasOneOf(hashes: readonly string[]): RawBuilder<unknown> {
  return sql`patient_phone_hash = ANY(${[...hashes]}::text[])`;
}

/** The clinic's appointments that changed at or after `updatedSince`, after `after`, ordered by (`updatedAt`, `id`). */
export function listUpdatedAppointments(
  em: EntityManager,
  { updatedSince, ...filter }: AppointmentFilter & { updatedSince: Date },
  page: { limit: number; after?: { updatedAt: Date; id: string } | undefined },
): Promise<AppointmentPage> {
  const conditions = [
    ...appointmentConditions(filter),
    sql`updated_at >= ${updatedSince}`,
    ...(page.after ? [sql`(updated_at, id) > (${page.after.updatedAt}, ${page.after.id}::uuid)`] : []),
  ];
  return readAppointmentPage(em, conditions, sql`updated_at, id`, page.limit);
}

/** Response size of an appointment without notes and metadata. */
const FIXED_BYTES = 1000;

export interface AppointmentPage {
  rows: AppointmentRow[];
  hasMore: boolean;
}

const MEASURED_APPOINTMENT = STORED_APPOINTMENT.extend({ pageBytes: z.number() });

/**
 * The matching appointments in the given order, as many as fit into one response. The database adds up the sizes, so
 * that only rows that are shown are read.
 */
export async function readAppointmentPage(
  em: EntityManager,
  conditions: readonly RawBuilder<unknown>[],
  order: RawBuilder<unknown>,
  limit: number,
): Promise<AppointmentPage> {
  const rows = await rowsOf(em, MEASURED_APPOINTMENT)`
    SELECT ${APPOINTMENT_COLUMNS}, page_bytes
    FROM (
      SELECT *, sum(bytes) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)::float8 AS page_bytes
      FROM (
        SELECT
          *,
          ${FIXED_BYTES}::integer + coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(patient_notes), 0) AS bytes
        FROM appointment
        WHERE ${sql.join(conditions, sql` AND `)}
        ORDER BY ${order}
        LIMIT ${limit + 1}
      ) AS page
    ) AS measured
    WHERE page_bytes - bytes < ${MAX_PAGE_BYTES}
    ORDER BY ${order}
  `;
  const shown = rows
    .slice(0, limit)
    .filter(({ pageBytes }, index) => index === 0 || pageBytes <= MAX_PAGE_BYTES);
  return { rows: await openRows(em, 'appointment', shown), hasMore: shown.length < rows.length };
}
