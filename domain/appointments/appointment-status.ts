/** docs/appointments.md#states */
export const APPOINTMENT_STATUSES = ['confirmed', 'attended', 'no_show', 'cancelled', 'rescheduled'] as const;
export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number];

export const APPOINTMENT_SOURCES = ['voice_ai', 'manual', 'self_service', 'sync_external'] as const;
export type AppointmentSource = (typeof APPOINTMENT_SOURCES)[number];

/** Whether bookings of this source respect the hours by default: docs/appointments.md#hours */
export function respectsHours(source: AppointmentSource): boolean {
  return source === 'voice_ai' || source === 'self_service';
}

/**
 * Whether an appointment created with this status occupies its professional's time:
 * docs/appointments.md#slots-and-buffers
 */
export function takesTime(status: AppointmentStatus): boolean {
  return status === 'confirmed' || status === 'attended';
}

/** The meanings of the reasons: `../named-enums.schema.ts`. */
export const CANCELLATION_REASONS = ['patient_requested', 'clinic_cancelled', 'auto'] as const;
export type CancellationReason = (typeof CANCELLATION_REASONS)[number];

/** The statuses that a request can set. `confirmed` and `rescheduled` only result from booking and moving. */
export type SettableStatus = 'attended' | 'no_show' | 'cancelled';

export type StatusDecision =
  | { kind: 'unchanged' }
  | { kind: 'change'; to: SettableStatus }
  | { kind: 'refused'; allowed: SettableStatus[] }
  | { kind: 'moved' };

/** docs/appointments.md#transitions. A late check-in from `no_show` does not take the slot again. */
const REACHABLE: Record<AppointmentStatus, readonly SettableStatus[]> = {
  confirmed: ['attended', 'no_show', 'cancelled'],
  attended: ['cancelled'],
  no_show: ['attended', 'cancelled'],
  cancelled: [],
  rescheduled: [],
};

/**
 * Decides whether an appointment can get the status `to`. `moved`: the appointment was rescheduled, so its replacement
 * must be changed instead.
 */
export function decideStatus(
  appointment: { status: AppointmentStatus; startsAt: Date },
  to: AppointmentStatus,
  now: Date,
): StatusDecision {
  if (appointment.status === to) return { kind: 'unchanged' };
  if (appointment.status === 'rescheduled') return { kind: 'moved' };
  const allowed = reachableStatuses(appointment, now);
  const target = allowed.find((status) => status === to);
  return target ? { kind: 'change', to: target } : { kind: 'refused', allowed };
}

/** The statuses that a request could set. A no-show can only be recorded after the start. */
export function reachableStatuses(appointment: { status: AppointmentStatus; startsAt: Date }, now: Date) {
  const hasStarted = appointment.startsAt.getTime() <= now.getTime();
  return REACHABLE[appointment.status].filter((status) => status !== 'no_show' || hasStarted);
}
