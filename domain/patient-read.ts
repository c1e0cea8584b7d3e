import type { ServiceError } from './service-error.ts';

/**
 * The kinds of patient data in the access log: an appointment with name and notes, a caller, a transcript, or an event.
 * docs/operations/audit-log.md#access-log
 */
export const READ_KINDS = ['appointment', 'call', 'transcript', 'event'] as const;
export type ReadKind = (typeof READ_KINDS)[number];

/** The ids of appointments or calls, depending on the kind. */
export interface ShownPatients {
  kind: ReadKind;
  ids: readonly string[];
}

/**
 * The patient shown by an event's body, identified by appointment or call. Other events show no patient that can be
 * identified.
 */
export function shownByEvent({ appointmentId, data }: EventShown): ShownPatients {
  if (appointmentId !== null) return { kind: 'event', ids: [appointmentId] };
  return { kind: 'call', ids: data?.call ? [data.call.id] : [] };
}

/** The patient shown by an error that contains an existing appointment. */
export function shownByRefusal({ code, details }: ServiceError): ShownPatients {
  const id = code === 'already_booked' ? details.extras?.['appointmentId'] : undefined;
  return { kind: 'appointment', ids: typeof id === 'string' ? [id] : [] };
}

export interface EventShown {
  appointmentId: string | null;
  data: { call?: { id: string } } | null;
}

/**
 * A repeated view within this time is not recorded again, because pages refresh themselves and integrations poll lists.
 */
export const SAME_READ_MS = { person: 3_600_000, program: 86_400_000 };
