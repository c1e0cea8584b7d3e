import { sql, type RawBuilder } from 'kysely';
import type { AppointmentStatus } from '../../../domain/appointments/appointment-status.ts';
import type { EntityManager } from '../../connection/open-database.ts';
import type { AppointmentRow } from '../../entities/appointment.entity.ts';
import { readAppointmentPage, type AppointmentPage } from './appointment-page.ts';

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
  /** As it may stand in rows. */
  patientPhoneHashes?: readonly string[];
  callId?: string;
}

/** A position in the list: the last appointment already seen. */
export type AppointmentPosition = Pick<AppointmentRow, 'startsAt' | 'id'>;

/** The clinic's appointments by (`startsAt`, `id`), those after `after` only. */
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
  const { patientExternalId, patientPhoneHashes, callId } = filter;
  return [
    sql`tenant_id = ${tenantId}`,
    ...(from ? [sql`starts_at >= ${from}`] : []),
    ...(to ? [sql`starts_at < ${to}`] : []),
    ...(professionalId ? [sql`professional_id = ${professionalId}`] : []),
    ...(status ? [sql`status = ${status}`] : []),
    ...(externalId === undefined ? [] : [sql`external_id = ${externalId}`]),
    ...(patientExternalId === undefined ? [] : [sql`patient_external_id = ${patientExternalId}`]),
    ...(callId === undefined ? [] : [sql`call_id = ${callId}`]),
    ...(patientPhoneHashes === undefined ? [] : [hasOneOf(patientPhoneHashes)]),
  ];
}

function hasOneOf(hashes: readonly string[]): RawBuilder<unknown> {
  return sql`patient_phone_hash = ANY(${[...hashes]}::text[])`;
}
