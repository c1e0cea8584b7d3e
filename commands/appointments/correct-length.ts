import { findBookableService, type BookableService } from '../../db/appointments/bookable-service.ts';
import type { LockedAppointment } from '../../db/appointments/find-appointment.ts';
import { takeTimeAfter } from '../../db/appointments/take-time-after.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { reachableStatuses } from '../../domain/appointments/appointment-status.ts';
import { bufferMinutesOf, slotFor, withOwnEnd } from '../../domain/appointments/slot.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { changedFields } from '../changed-fields.ts';
import type { CommandContext } from '../command-context.ts';
import type { AppointmentEdit } from './edit-appointment.ts';
import { bookingConflict } from './booking-conflict.ts';
import { checkLength, checkOffered } from './plan-booking.ts';
import { appointmentRescheduled } from './set-appointment-status.ts';

export interface WantedLength {
  /** The new service. It sets the duration, unless the appointment has its own length. Null: no service. */
  serviceTypeId?: string | null | undefined;
  /** Gives the appointment its own length; the buffer follows. */
  endsAt?: Date | undefined;
}

/**
 * Changes the service or end of an appointment that keeps its start; additional time is reserved.
 * docs/appointments.md#length Errors: `invalid_status_transition` or `appointment_rescheduled` unless it is confirmed,
 * `validation_failed`, `service_not_offered`, `slot_conflict`.
 */
export async function correctLength(
  em: EntityManager,
  { appointment, now }: LockedAppointment,
  wanted: WantedLength,
  { actor: takenBy }: Pick<CommandContext, 'actor'>,
): Promise<AppointmentEdit> {
  const changes = changedFields(appointment, wanted);
  if (Object.keys(changes).length === 0) return {};
  if (appointment.status === 'rescheduled') throw appointmentRescheduled(appointment);
  if (appointment.status !== 'confirmed') throw onlyConfirmed(appointment, now);
  const service = await lengthOf(em, appointment, wanted, changes.serviceTypeId);
  const slot = slotFor(appointment.startsAt, service);
  checkLength(slot);
  const isLonger = slot.blockUntil > appointment.blockUntil;
  const growth = { until: slot.blockUntil, takenBy, now };
  if (isLonger && !(await takeTimeAfter(em, appointment, growth))) {
    throw await bookingConflict(em, { ...appointment, externalId: null, service }, now);
  }
  const { endsAt, blockUntil } = slot;
  const ownLength = isOwn(appointment, wanted);
  return { ...changes, ...changedFields(appointment, { endsAt, blockUntil, ownLength }) };
}

function isOwn({ ownLength }: AppointmentRow, { endsAt }: WantedLength): boolean {
  return ownLength || endsAt !== undefined;
}

/** Keeps the buffer from the booking, unless a new service has another. */
async function lengthOf(
  em: EntityManager,
  appointment: AppointmentRow,
  wanted: WantedLength,
  newServiceTypeId: string | null | undefined,
): Promise<BookableService> {
  const { startsAt } = appointment;
  const serviceTypeId = newServiceTypeId === undefined ? appointment.serviceTypeId : newServiceTypeId;
  const service = await findBookableService(em, { ...appointment, serviceTypeId });
  if (newServiceTypeId) checkOffered({ serviceTypeId }, service);
  if (!service) throw new Error('the clinic of a stored appointment does not exist');
  const length = newServiceTypeId ? service : { ...service, bufferMinutes: bufferMinutesOf(appointment) };
  return isOwn(appointment, wanted)
    ? withOwnEnd(length, { startsAt, endsAt: wanted.endsAt ?? appointment.endsAt })
    : length;
}

function onlyConfirmed(appointment: AppointmentRow, now: Date): ServiceError {
  const { status: from } = appointment;
  const message = 'The service and the end can be changed only while the appointment is `confirmed`.';
  const allowed = reachableStatuses(appointment, now);
  return new ServiceError('invalid_status_transition', message, {
    extras: { from, to: 'confirmed', allowed },
  });
}
