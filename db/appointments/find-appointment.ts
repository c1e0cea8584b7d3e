import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { everyHashOfName } from '../../domain/patients/name-hashes.ts';
import type { AppointmentRow } from '../entities/appointment.entity.ts';
import { openRow } from '../encryption/field-seal.ts';
import { FENCE } from '../connection/fence.ts';
import {
  anyOf,
  firstRow,
  onlyValue,
  prepared,
  rowsOf,
  tables,
  type EntityManager,
} from '../connection/statements.ts';
import { cipherOf } from '../connection/cipher-of.ts';
import { LOCKED, lockWithClinic, type Locked } from '../connection/locks.ts';
import { APPOINTMENT_COLUMNS, STORED_APPOINTMENT } from './appointment-reader.ts';

export type SoughtAppointment = Pick<AppointmentRow, 'tenantId' | 'id'>;

/**
 * Null when the clinic has no appointment with that ID, even if another clinic does. Callers then return 404
 * (`requireFound`).
 */
export async function findAppointment(em: EntityManager, tenantId: string, appointmentId: string) {
  const row = await firstRow(prepared(em), STORED_APPOINTMENT)`
    SELECT ${APPOINTMENT_COLUMNS} FROM appointment WHERE tenant_id = ${tenantId} AND id = ${appointmentId}
  `;
  return row && openRow(em, 'appointment', row);
}

export interface FoundAppointment {
  appointment: AppointmentRow;
  tenantName: string;
}

const FOUND_APPOINTMENT = STORED_APPOINTMENT.extend({ place: z.number(), tenantName: z.string() });

/**
 * Like `findAppointment`, for appointments of any clinics in one round trip, with the clinics' names. The results are
 * in the order of the request.
 */
export async function findAppointments(em: EntityManager, sought: readonly SoughtAppointment[]) {
  const places = sought.map(({ tenantId, id }, place) => ({ place, clinic: tenantId, appointment: id }));
  const rows = await rowsOf(prepared(em), FOUND_APPOINTMENT)`
    SELECT sought.place, (SELECT name FROM tenant WHERE tenant.id = sought.clinic) AS tenant_name, found.*
    FROM json_to_recordset(${JSON.stringify(places)}::json) AS sought (place integer, clinic uuid, appointment uuid)
    CROSS JOIN LATERAL (
      SELECT ${APPOINTMENT_COLUMNS}
      FROM (SELECT * FROM appointment WHERE id = sought.appointment ${FENCE}) of_any_clinic
      WHERE tenant_id = sought.clinic
    ) found
  `;
  const found = sought.map((): FoundAppointment | null => null);
  for (const { place, tenantName, ...row } of rows) {
    found[place] = { appointment: await openRow(em, 'appointment', row), tenantName };
  }
  return found;
}

interface BookedInCall extends Pick<AppointmentRow, 'tenantId' | 'professionalId' | 'startsAt'> {
  callId: string;
}

/** The confirmed appointment that a call has booked at this start with this professional; otherwise null. */
export async function findBookedInCall(em: EntityManager, wanted: BookedInCall) {
  const row = await firstRow(em, STORED_APPOINTMENT)`
    SELECT ${APPOINTMENT_COLUMNS}
    FROM appointment
    WHERE tenant_id = ${wanted.tenantId}
      AND call_id = ${wanted.callId}
      AND professional_id = ${wanted.professionalId}
      AND starts_at = ${wanted.startsAt}
      AND status = 'confirmed'
    LIMIT 1
  `;
  return row && openRow(em, 'appointment', row);
}

/** Whether a current appointment of the clinic has the external id. */
export function isExternalIdTaken(
  em: EntityManager,
  tenantId: string,
  externalId: string,
  exceptId: string | null,
): Promise<boolean> {
  return onlyValue(em, z.boolean())`
    SELECT EXISTS (
      SELECT FROM appointment
      WHERE tenant_id = ${tenantId}
        AND external_id = ${externalId}
        AND status NOT IN ('cancelled', 'rescheduled')
        AND id IS DISTINCT FROM ${exceptId}::uuid
    )
  `;
}

export type BookingToFind = Pick<
  AppointmentRow,
  'tenantId' | 'professionalId' | 'serviceTypeId' | 'patientName' | 'patientPhoneHash' | 'startsAt'
>;

/** The confirmed appointment with all these values, whose patient is identified by phone and name; null without one. */
export async function findSameBooking(em: EntityManager, wanted: BookingToFind) {
  if (wanted.patientName === null) return null;
  const cipher = await cipherOf(em, wanted.tenantId);
  const row = await firstRow(prepared(em), STORED_APPOINTMENT)`
    SELECT ${APPOINTMENT_COLUMNS}
    FROM appointment
    WHERE tenant_id = ${wanted.tenantId}
      AND patient_phone_hash = ${wanted.patientPhoneHash}
      AND starts_at = ${wanted.startsAt}
      AND professional_id = ${wanted.professionalId}
      AND service_type_id IS NOT DISTINCT FROM ${wanted.serviceTypeId}::uuid
      AND name_hash = ${anyOf(everyHashOfName(cipher, wanted.patientName))}
      AND status = 'confirmed'
  `;
  return row && openRow(em, 'appointment', row);
}

/** The external ids that current appointments of the clinic have. */
export async function findTakenExternalIds(
  em: EntityManager,
  tenantId: string,
  externalIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tables(em)
    .selectFrom('appointment')
    .select('externalId')
    .where('tenantId', '=', tenantId)
    .where('externalId', '=', anyOf(externalIds))
    .where('status', 'not in', ['cancelled', 'rescheduled'])
    .$narrowType<{ externalId: string }>()
    .execute();
  return new Set(rows.map(({ externalId }) => externalId));
}

export interface LockedAppointment extends Locked {
  appointment: AppointmentRow;
}

const LOCKED_APPOINTMENT = {
  table: 'appointment',
  columns: APPOINTMENT_COLUMNS,
  row: STORED_APPOINTMENT.extend(LOCKED),
};

/** Locks an appointment until the transaction ends. @param condition a condition on the row, which is called `held` */
export async function lockAppointment(
  em: EntityManager,
  tenantId: string,
  id: string,
  condition?: RawBuilder<unknown>,
): Promise<LockedAppointment | null> {
  const locked = await lockWithClinic(em, LOCKED_APPOINTMENT, { tenantId, id }, condition);
  if (!locked) return null;
  const { tenantName, now, ...row } = locked;
  return { tenantName, now, appointment: await openRow(em, 'appointment', row) };
}
