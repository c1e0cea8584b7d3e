import {
  findSameBooking,
  isExternalIdTaken,
  type BookingToFind,
} from '../../db/appointments/find-appointment.ts';
import { findLiveHold } from '../../db/appointments/holds/find-holds.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { findAlternatives, type WantedSlot } from './free-times/alternatives.ts';

/** Why the database took no new appointment: its external id or its slot belongs to another one, or its hold ended too soon. */
export async function bookingConflict(
  em: EntityManager,
  wanted: WantedSlot & { externalId?: string | null | undefined; holdId?: string | undefined },
  now: Date,
): Promise<ServiceError> {
  const { tenantId, externalId, holdId } = wanted;
  if (externalId && (await isExternalIdTaken(em, tenantId, externalId, null))) return externalIdConflict();
  const isHoldOver = holdId !== undefined && !(await findLiveHold(em, tenantId, holdId));
  return slotUnavailable(em, isHoldOver ? 'hold_expired' : 'slot_conflict', wanted, now);
}

export function externalIdConflict(): ServiceError {
  return new ServiceError(
    'external_id_conflict',
    'Another appointment of the clinic already has this `externalId`.',
    {
      errors: [{ path: 'body.externalId', message: 'is already in use' }],
    },
  );
}

const UNAVAILABLE = {
  slot_conflict: 'This time is already booked or held. Choose one of the `alternatives`.',
  hold_expired: 'The hold has expired and the slot is taken. Choose one of the `alternatives`.',
  outside_hours:
    'The clinic is closed, or the professional does not work, at this time. Choose one of the `alternatives`.',
} as const;

/** Why a slot is not available, with others near it that are; outside the hours nobody is in the way. */
export async function slotUnavailable(
  em: EntityManager,
  code: keyof typeof UNAVAILABLE,
  wanted: WantedSlot,
  now: Date,
): Promise<ServiceError> {
  const { tellsAlternatives = true } = wanted;
  const alternatives = tellsAlternatives ? await findAlternatives(em, wanted, now) : [];
  return new ServiceError(code, UNAVAILABLE[code], { extras: { alternatives } });
}

/** Tells anyone who repeats a request whose answer was lost that it was done: docs/appointments.md#booked-already */
export class AlreadyBooked extends ServiceError {
  readonly appointment: AppointmentRow;

  constructor(appointment: AppointmentRow, extras: { appointment?: object } = {}) {
    super('already_booked', 'This patient already has this appointment. Treat this as success.', {
      extras: { appointmentId: appointment.id, ...extras },
    });
    this.appointment = appointment;
  }
}

/** The refusal of what is booked already, by anyone: the same patient, service, professional and start. Null when it is not. */
export async function alreadyBooked(em: EntityManager, wanted: BookingToFind): Promise<AlreadyBooked | null> {
  const same = await findSameBooking(em, wanted);
  return same && new AlreadyBooked(same);
}
