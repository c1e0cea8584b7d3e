import { uuidv7 } from 'uuidv7';
import type { NewAppointment, NewBooking } from '../../db/appointments/insert-appointments.ts';
import type { BookableService } from '../../db/appointments/bookable-service.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { EDITABLE_FIELDS, type EditableField } from '../../domain/appointments/appointment-fields.schema.ts';
import { respectsHours as keepsToHours } from '../../domain/appointments/appointment-status.ts';
import { fieldError } from '../../domain/service-error.ts';
import { isLengthPossible, isTooFarInThePast, slotFor, withOwnEnd } from '../../domain/appointments/slot.ts';
import { bookedOver, takingTime } from '../../domain/appointments/taking-time.ts';
import { noShowDueAt, type Timings } from '../../domain/timings.ts';
import { appointmentInEvent } from './appointment-event.ts';
import { clinicLimitReached } from '../clinic/clinic-limit.ts';
import type { CommandContext } from '../command-context.ts';
import { stampedEvent } from '../webhooks/record-event.ts';

/** The fields of a new appointment besides its time and service; absent ones are null. */
export type SaidOfAppointment = Partial<Pick<AppointmentRow, EditableField>> &
  Pick<AppointmentRow, 'patientName' | 'patientPhoneHash'>;

/** A requested appointment. */
export interface BookAppointment
  extends SaidOfAppointment, Pick<AppointmentRow, 'tenantId' | 'professionalId' | 'startsAt' | 'source'> {
  /** By default, a random ID. A caller that may repeat the request can choose the ID to recognise the first result. */
  id?: string;
  /** Null for none: then `endsAt` gives the length. */
  serviceTypeId: string | null;
  /** The call in which it is booked. */
  callId?: string | null;
  /** The end. By default, the service's duration after the start. */
  endsAt?: Date;
  /** Whether to refuse a time outside the hours. By default, this depends on the source. */
  respectHours?: boolean | undefined;
  /** The hold to use. */
  holdId?: string | undefined;
  /** Whether to book over what is there: docs/appointments.md#overlap */
  overlap?: boolean | undefined;
  /** The caller may book any past time (scope `appointments:source`). */
  mayBackdate: boolean;
}

const NEWLY_BOOKED = {
  status: 'confirmed',
  version: 1,
  rescheduledToId: null,
  patientConfirmedAt: null,
} as const;

/** A booking and its caller. */
export interface Booking {
  input: BookAppointment;
  context: CommandContext;
}

export interface PlannedBooking {
  planned: NewBooking;
  holdId: string | undefined;
  /** The actor, as in the timeline. */
  takenBy: string;
  /** The service, with the length of this booking. */
  service: BookableService;
  respectsHours: boolean;
}

/**
 * The rows of a booking, valid unless other appointments conflict. Errors: `validation_failed` (unknown ids),
 * `starts_in_past`, `service_not_offered`, `professional_inactive`, `clinic_limit_reached`.
 */
export function planBooking(
  { input, context }: Booking,
  service: BookableService | null,
  timings: Timings,
): PlannedBooking {
  const { startsAt, endsAt, source, respectHours = keepsToHours(source) } = input;
  checkStart(input, context.now);
  checkOffered(input, service);
  if (service.isClinicFull) throw clinicLimitReached('appointments');
  checkCall(service);
  checkHold(input, service);
  const length = endsAt ? withOwnEnd(service, { startsAt, endsAt }) : service;
  const slot = slotFor(startsAt, length);
  checkLength(slot);
  const appointment: NewAppointment = {
    id: input.id ?? uuidv7(),
    tenantId: input.tenantId,
    professionalId: input.professionalId,
    serviceTypeId: input.serviceTypeId,
    callId: input.callId ?? null,
    ...editableColumns(input),
    ...slot,
    ...takingTime({ over: bookedOver(input.overlap) }),
    ownLength: endsAt !== undefined,
    source,
    reinstatedAt: null,
    rescheduledFromId: null,
  };
  const event = bookingEvent(appointment, service.tenantName, timings, context);
  const respectsHours = respectHours && !isHeld(service, slot);
  const { holdId } = input;
  return { planned: { appointment, event }, holdId, takenBy: context.actor, service: length, respectsHours };
}

/** 422 unless it ends after its start and lasts at most 24 hours. */
export function checkLength(slot: { startsAt: Date; endsAt: Date }): void {
  if (!isLengthPossible(slot))
    throw fieldError('body.endsAt', 'must be after `startsAt`, by at most 24 hours');
}

/** 422 for a start too far back, unless the caller may backdate. */
export function checkStart(wanted: { startsAt: Date; mayBackdate: boolean }, now: Date): void {
  if (wanted.mayBackdate || !isTooFarInThePast(wanted.startsAt, now)) return;
  throw fieldError('body.startsAt', '`startsAt` is more than 24 hours in the past.', 'starts_in_past');
}

/** 422 when the service is unknown or no longer offered, or for a reason of `checkProfessional`. */
export function checkOffered(
  { serviceTypeId }: { serviceTypeId: string | null },
  service: BookableService | null,
): asserts service is BookableService {
  if (!service || (serviceTypeId !== null && service.serviceActive === null)) {
    throw fieldError('body.serviceTypeId', 'The clinic has no service with this ID.');
  }
  checkProfessional(service);
  if (service.serviceActive === false) {
    throw fieldError('body.serviceTypeId', 'This service is no longer offered.', 'service_not_offered');
  }
}

/** 422 when the clinic has no such call. */
export function checkCall({ isCallKnown }: Pick<BookableService, 'isCallKnown'>): void {
  if (!isCallKnown) throw fieldError('body.callId', 'The clinic has no call with this ID.');
}

/** 422 when the clinic has no such hold, or it is for another slot. An expired one is no reason. */
export function checkHold(
  { holdId, professionalId, startsAt }: Pick<BookAppointment, 'holdId' | 'professionalId' | 'startsAt'>,
  { hold }: Pick<BookableService, 'hold'>,
): void {
  if (holdId === undefined) return;
  if (!hold) throw fieldError('body.holdId', 'The clinic has no hold with this ID.');
  if (hold.professionalId === professionalId && hold.startsAt.getTime() === startsAt.getTime()) return;
  throw fieldError('body.holdId', 'The hold is for another time or professional.');
}

/**
 * Whether a valid hold covers the whole appointment, so that the hours need not be checked again. With another service
 * or end, the appointment can be longer than its hold.
 */
export function isHeld({ hold }: Pick<BookableService, 'hold'>, { endsAt }: Pick<AppointmentRow, 'endsAt'>) {
  return hold !== null && hold.isLive && endsAt <= hold.endsAt;
}

/** 422 when the professional is unknown, inactive, or does not offer the service. */
export function checkProfessional(service: Pick<BookableService, 'professionalActive' | 'offered'>): void {
  const path = 'body.professionalId';
  if (service.professionalActive === null)
    throw fieldError(path, 'The clinic has no professional with this ID.');
  if (!service.professionalActive)
    throw fieldError(path, 'This professional no longer takes bookings.', 'professional_inactive');
  if (!service.offered)
    throw fieldError(path, 'This professional does not offer this service.', 'service_not_offered');
}

function bookingEvent(wanted: NewAppointment, tenantName: string, timings: Timings, context: CommandContext) {
  const { id, tenantId, startsAt, callId, overlap } = wanted;
  const dueAt = noShowDueAt(startsAt, timings).toISOString();
  const changes = {
    status: 'confirmed',
    startsAt,
    ...(callId && { callId }),
    ...(overlap && { overlap }),
  };
  return stampedEvent(context, (instant) => ({
    tenant: { id: tenantId, name: tenantName },
    type: 'appointment.created',
    data: {
      appointment: appointmentInEvent({ ...wanted, ...NEWLY_BOOKED, createdAt: instant, updatedAt: instant }),
    },
    appointmentId: id,
    changes: [{ appointmentId: id, kind: 'created', changes }],
    messages: [{ kind: 'startNoShow', appointmentId: id, clinicId: tenantId, dueAt }],
  }));
}

/** The editable columns of a new appointment. */
export function editableColumns(said: SaidOfAppointment): Pick<AppointmentRow, EditableField> {
  const columns = EDITABLE_FIELDS.map((name) => [name, said[name] ?? null]);
  return Object.fromEntries(columns) as Pick<AppointmentRow, EditableField>;
}
