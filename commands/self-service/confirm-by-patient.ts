import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { PATIENT } from '../../domain/appointments/slot-hold.ts';
import { editAppointment } from '../appointments/edit-appointment.ts';
import { lockForChange, type AppointmentToChange } from '../appointments/lock-for-change.ts';
import type { CommandContext } from '../command-context.ts';

/**
 * Records that the patient will come, with `appointment.updated`. Changes nothing when the patient has confirmed before,
 * and when the appointment is not confirmed any more or has begun. docs/reminders.md#what-the-patient-answers Errors:
 * `not_found`.
 */
export async function confirmByPatient(
  em: EntityManager,
  wanted: AppointmentToChange,
  context: Omit<CommandContext, 'actor'>,
): Promise<AppointmentRow> {
  const locked = await lockForChange(em, wanted);
  const { status, startsAt, patientConfirmedAt } = locked.appointment;
  const isAhead = status === 'confirmed' && startsAt > context.now;
  const edit = isAhead && patientConfirmedAt === null ? { patientConfirmedAt: locked.now } : {};
  return editAppointment(em, locked, edit, { ...context, actor: PATIENT });
}
