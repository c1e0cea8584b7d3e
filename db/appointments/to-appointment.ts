import { AppointmentEntity, type AppointmentRow } from '../entities/appointment.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { rowReader, type RawRow } from '../connection/row-reader.ts';

export const appointmentReader = rowReader<AppointmentRow>(AppointmentEntity);

/** Every column by name: a prepared statement must not change its result when a migration adds one. */
export const APPOINTMENT_COLUMNS = appointmentReader.columns();

export type RawAppointment = RawRow;

export function toAppointment(em: EntityManager, raw: RawAppointment): AppointmentRow {
  return appointmentReader.read(em, raw);
}
