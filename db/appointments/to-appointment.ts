import { AppointmentEntity, type AppointmentRow } from '../entities/appointment.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { rowReader, type RawRow } from '../connection/row-reader.ts';

const reader = rowReader<AppointmentRow>(AppointmentEntity);

/** Every column by name: a prepared statement must not change its result when a migration adds one. */
export const APPOINTMENT_COLUMNS = reader.columns();

export type RawAppointment = RawRow;

export function toAppointment(em: EntityManager, raw: RawAppointment): AppointmentRow {
  return reader.read(em, raw);
}
