import type { ServiceError } from './service-error.ts';

/**
 * What someone was shown of a patient: an appointment with name and notes; who called; what was said; what a webhook told of
 * an appointment.
 * docs/operations/audit-log.md#access-log
 */
export type ReadKind = 'appointment' | 'call' | 'transcript' | 'event';

/** Of whom: ids of appointments or of calls, as the kind says. */
export interface ShownPatients {
  kind: ReadKind;
  ids: readonly string[];
}

/** Whom the body of an event shows: the patient of an appointment, or who called; of others no one who could be told. */
export function shownByEvent({ appointmentId, data }: EventShown): ShownPatients {
  if (appointmentId !== null) return { kind: 'event', ids: [appointmentId] };
  return { kind: 'call', ids: data?.call ? [data.call.id] : [] };
}

/** Whom a refusal tells of: the patient of an appointment that is booked already. */
export function shownByRefusal({ code, details }: ServiceError): ShownPatients {
  const id = code === 'already_booked' ? details.extras?.['appointmentId'] : undefined;
  return { kind: 'appointment', ids: typeof id === 'string' ? [id] : [] };
}

export interface EventShown {
  appointmentId: string | null;
  data: { call?: { id: string } } | null;
}

/** Who is shown the same again within so long is not written down again: pages keep themselves up to date, and programs ask for the same lists all day. */
export const SAME_READ_MS = { person: 3_600_000, program: 86_400_000 };
