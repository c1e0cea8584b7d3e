import { findAppointment, type LockedAppointment } from '../../db/appointments/find-appointment.ts';
import { findBookableService, type BookableService } from '../../db/appointments/bookable-service.ts';
import { lockProfessionals } from '../../db/clinic/professionals.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import {
  respectsHours,
  takesTime,
  type AppointmentStatus,
} from '../../domain/appointments/appointment-status.ts';
import { bufferMinutesOf, slotFor, withOwnEnd } from '../../domain/appointments/slot.ts';
import { bookedOver } from '../../domain/appointments/taking-time.ts';
import type { CommandContext } from '../command-context.ts';
import type { EditableFields } from './edit-appointment.ts';
import { alreadyBooked, bookingConflict, slotUnavailable, type WantedSlot } from './booking-conflict.ts';
import type { WantedLength } from './correct-length.ts';
import { isOutsideHours } from './free-times/outside-hours.ts';
import {
  checkCall,
  checkHold,
  checkLength,
  checkOffered,
  checkProfessional,
  checkStart,
  isHeld,
  type BookAppointment,
} from './plan-booking.ts';
import { replaceAppointment, type Replaced } from './replace-appointment.ts';
import { appointmentRescheduled } from './set-appointment-status.ts';

export interface WantedMove
  extends
    WantedLength,
    Pick<BookAppointment, 'startsAt' | 'professionalId' | 'holdId' | 'mayBackdate'>,
    Pick<WantedSlot, 'tellsAlternatives'> {
  /** The call in which it is moved. */
  callId?: string;
  /** The status that the caller sets for the replacement in the same transaction. */
  becomes?: AppointmentStatus | undefined;
  /** Other changes in the same request, applied to original and replacement. */
  edit: EditableFields;
  /** Whether to refuse a time outside the hours. By default, this depends on the appointment's source. */
  respectHours?: boolean | undefined;
  /** Whether to move it over what is there: docs/appointments.md#overlap */
  overlap?: boolean | undefined;
  /** Whether it comes from an import, which takes visits that have ended as they were. */
  isImported?: boolean | undefined;
}

/**
 * Replaces an appointment by one at another time or with another professional. The original frees its slot first, so
 * the new time may overlap the old one. docs/appointments.md#reschedule Errors: `appointment_rescheduled`,
 * `starts_in_past`, `service_not_offered`, `professional_inactive`, `validation_failed` (an impossible length, an
 * unknown call, a hold of another slot), `outside_hours`, `already_booked`, `slot_conflict`, `hold_expired`,
 * `external_id_conflict`.
 */
export async function rescheduleAppointment(
  em: EntityManager,
  locked: LockedAppointment,
  move: WantedMove,
  context: CommandContext,
): Promise<Replaced> {
  const original = locked.appointment;
  if (original.status === 'rescheduled') return alreadyMoved(em, original, move);
  checkStart(move, context.now);
  const { startsAt, endsAt, professionalId, callId = null, holdId, edit, becomes } = move;
  const { serviceTypeId = original.serviceTypeId } = move;
  const asNow = await serviceOfMove(em, original, { professionalId, serviceTypeId, callId, holdId, becomes });
  checkCall(asNow);
  checkHold(move, asNow);
  const service = endsAt ? withOwnEnd(asNow, { startsAt, endsAt }) : asNow;
  const slot = slotFor(startsAt, service);
  checkLength(slot);
  const ownLength = endsAt !== undefined || original.ownLength;
  const where = { ...slot, professionalId, movedFrom: original, tellsAlternatives: move.tellsAlternatives };
  const wanted = { ...original, ...edit, ...where, serviceTypeId, service, holdId };
  const { respectHours = respectsHours(original.source) } = move;
  const isOutside = respectHours && !isHeld(asNow, slot) && (await isOutsideHours(em, wanted));
  const { overlap = false, isImported = false } = move;
  const isTaking = takesTime(becomes ?? 'confirmed');
  const over = isTaking ? bookedOver(overlap, isImported && slot.endsAt <= context.now) : undefined;
  const own = { ...slot, professionalId, serviceTypeId, ownLength, reinstatedAt: null, callId, overlap };
  if (over === 'appointments' && !isOutside) await refuseBookedAlready(em, original, wanted);
  const replacing = { own, edit, holdId, becomes, over };
  const replaced = isOutside ? null : await replaceAppointment(em, locked, replacing, context);
  if (replaced) return replaced;
  const isThere = await alreadyBooked(em, wanted);
  if (isThere) throw isThere;
  if (isOutside) throw await slotUnavailable(em, 'outside_hours', wanted, context.now);
  throw await bookingConflict(em, wanted, context.now);
}

/** An overlapping appointment does not collide with another one of the patient. @throws ServiceError `already_booked` */
async function refuseBookedAlready(em: EntityManager, original: AppointmentRow, wanted: AppointmentRow) {
  const professionalIds = [original.professionalId, wanted.professionalId];
  await lockProfessionals(em, original.tenantId, professionalIds, { isForOverlap: true });
  const isThere = await alreadyBooked(em, wanted);
  if (isThere) throw isThere;
}

/** Returns the replacement if a repeated request asks for the same move; otherwise throws `appointment_rescheduled`. */
async function alreadyMoved(em: EntityManager, original: AppointmentRow, move: WantedMove) {
  const replacement = original.rescheduledToId
    ? await findAppointment(em, original.tenantId, original.rescheduledToId)
    : null;
  if (!replacement || !isWhereWanted(replacement, original, move)) throw appointmentRescheduled(original);
  return { appointment: original, replacement };
}

function isWhereWanted(replacement: AppointmentRow, original: AppointmentRow, move: WantedMove): boolean {
  const { startsAt, endsAt = replacement.endsAt, serviceTypeId = replacement.serviceTypeId } = move;
  return (
    replacement.startsAt.getTime() === startsAt.getTime() &&
    replacement.endsAt.getTime() === endsAt.getTime() &&
    replacement.serviceTypeId === serviceTypeId &&
    (move.professionalId === original.professionalId || replacement.professionalId === move.professionalId)
  );
}

/**
 * The service and length of the replacement. An appointment keeps an inactive service and its own length; without a
 * service, it keeps length and buffer.
 * @throws ServiceError `service_not_offered`, `professional_inactive`, `validation_failed` when it cannot be moved to
 * this professional or service
 */
export async function serviceOfMove(
  em: EntityManager,
  original: AppointmentRow,
  wanted: Pick<AppointmentRow, 'professionalId' | 'serviceTypeId'> & {
    callId?: string | null;
    holdId?: string | undefined;
    becomes?: AppointmentStatus | undefined;
  },
): Promise<BookableService> {
  const { professionalId, serviceTypeId, becomes = 'confirmed' } = wanted;
  const isAhead = becomes === 'confirmed';
  const service = await findBookableService(em, { ...wanted, tenantId: original.tenantId });
  if (isAhead && serviceTypeId !== original.serviceTypeId) checkOffered({ serviceTypeId }, service);
  if (!service) throw new Error('the clinic of a stored appointment does not exist');
  if (isAhead && professionalId !== original.professionalId) checkProfessional(service);
  if (serviceTypeId === null)
    return withOwnEnd({ ...service, bufferMinutes: bufferMinutesOf(original) }, original);
  return original.ownLength ? withOwnEnd(service, original) : service;
}
