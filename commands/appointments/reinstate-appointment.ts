import { findBookableService } from '../../db/appointments/bookable-service.ts';
import type { LockedAppointment } from '../../db/appointments/find-appointment.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { reachableStatuses } from '../../domain/appointments/appointment-status.ts';
import { withOwnEnd } from '../../domain/appointments/slot.ts';
import type { ServiceError } from '../../domain/service-error.ts';
import type { CommandContext } from '../command-context.ts';
import { bookingConflict } from './booking-conflict.ts';
import type { ChangedAppointment } from './change-appointment.ts';
import { lockForChange, type AppointmentToChange } from './lock-for-change.ts';
import { replaceAppointment } from './replace-appointment.ts';
import { appointmentRescheduled, invalidTransition } from './set-appointment-status.ts';

/**
 * Undoes a check-in, a no-show or a cancellation: a confirmed appointment at the same time replaces the old one.
 * docs/appointments.md#reinstate Errors: `not_found`, `version_mismatch`, `invalid_status_transition` (it is
 * confirmed), `appointment_rescheduled`, `slot_conflict`, `external_id_conflict`.
 */
export async function reinstateAppointment(
  em: EntityManager,
  wanted: AppointmentToChange,
  context: CommandContext,
): Promise<ChangedAppointment> {
  const locked = await lockForChange(em, wanted);
  const { appointment: original, now } = locked;
  const { status } = original;
  if (status === 'rescheduled') throw appointmentRescheduled(original);
  if (status === 'confirmed')
    throw invalidTransition(original, 'confirmed', reachableStatuses(original, now));
  // One that still has its time, beside others, keeps it.
  const { blocksOver: isKept } = original;
  const own = { ...original, overlap: isKept && original.overlap, reinstatedAt: now };
  const replacing = { own, edit: {}, over: isKept ? ('everything' as const) : undefined };
  const replaced = await replaceAppointment(em, locked, replacing, context);
  if (!replaced) throw await conflict(em, locked);
  return replaced;
}

async function conflict(em: EntityManager, { appointment, now }: LockedAppointment): Promise<ServiceError> {
  const found = await findBookableService(em, appointment);
  if (!found) throw new Error('the clinic of a stored appointment does not exist');
  const service = withOwnEnd(found, appointment);
  return bookingConflict(em, { ...appointment, service }, now);
}
