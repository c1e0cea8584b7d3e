import type { ServiceError } from './service-error.ts';

/**
 * What someone was shown of a patient: an appointment with name and notes, a caller, a transcript, or an event.
 * docs/operations/audit-log.md#access-log
 */
export const READ_KINDS = ['appointment', 'call', 'transcript', 'event'] as const;
export type ReadKind = (typeof READ_KINDS)[number];

/** The ids of appointments or calls, depending on the kind. */
export interface ShownPatients {
  kind: ReadKind;
  ids: readonly string[];
}

/** The patient whom an event's body shows: of an appointment or a call; for other events, none that can be named. */
export function shownByEvent({ appointmentId, data }: EventShown): ShownPatients {
  if (appointmentId !== null) return { kind: 'event', ids: [appointmentId] };
  return { kind: 'call', ids: data?.call ? [data.call.id] : [] };
}

/** The patient whom a refusal shows: of an existing appointment. */
export function shownByRefusal({ code, details }: ServiceError): ShownPatients {
  const id = code === 'already_booked' ? details.extras?.['appointmentId'] : undefined;
  return { kind: 'appointment', ids: typeof id === 'string' ? [id] : [] };
}

export interface EventShown {
  appointmentId: string | null;
  data: { call?: { id: string } } | null;
}

/** A repeated view within this time is not recorded again: pages refresh themselves, and integrations poll lists. */
export const SAME_READ_MS = { person: 3_600_000, program: 86_400_000 };
