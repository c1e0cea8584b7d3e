import type { RawBuilder } from 'kysely';
import type { AppointmentRow } from '../entities/appointment.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { lockWithClinic, type Locked } from '../connection/locks/lock-with-clinic.ts';
import { appointmentReader } from './appointment-reader.ts';

export interface LockedAppointment extends Locked {
  appointment: AppointmentRow;
}

/** Holds an appointment until the transaction ends. @param condition on the row `held` */
export async function lockAppointment(
  em: EntityManager,
  tenantId: string,
  id: string,
  condition?: RawBuilder<unknown>,
): Promise<LockedAppointment | null> {
  const locked = await lockWithClinic(em, appointmentReader, { tenantId, id }, condition);
  return locked && { ...locked, appointment: await appointmentReader.read(em, locked.row) };
}
