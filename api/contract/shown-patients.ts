import type { Scope } from '../../domain/clinic/api-scopes.ts';
import {
  shownByEvent,
  shownByRefusal,
  type EventShown,
  type ShownPatients,
} from '../../domain/patient-read.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { hasScope, type Caller } from './caller.ts';
import type { Contract, ShowsPatients, Withheld } from './define-contracts.ts';
import type { Answer } from './route.ts';

/** The request that an answer belongs to. */
export interface Asker {
  caller: Caller | null;
  path: unknown;
  /** The body of the request. */
  said: unknown;
  onShown: (patients: ShownPatients) => void;
}

const READ: Scope = 'appointments:read';

/**
 * Handles a request, removes everything from the response that the caller may not read, and records which patients the
 * response shows. This includes stored responses and errors that contain an existing appointment.
 */
export async function shownTo(
  { shows, withholds }: Pick<Contract, 'shows' | 'withholds'>,
  asker: Asker,
  answering: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await answering().catch((error: unknown) => {
    if (error instanceof ServiceError) asker.onShown(shownByRefusal(error));
    throw error;
  });
  const { status, body } = answer;
  const mayRead = (scope: Scope) => asker.caller === null || hasScope(asker.caller, scope);
  if (status >= 400) {
    if (!isAlreadyBooked(body)) return answer;
    asker.onShown({ kind: 'appointment', ids: [body.appointmentId] });
    return mayRead(READ) ? answer : { ...answer, body: { ...body, appointment: undefined } };
  }
  if (shows && body !== undefined) asker.onShown(shows(body, asker));
  return !withholds || body === undefined || mayRead(withholds.readScope)
    ? answer
    : { ...answer, body: withoutUnsaid(body, withholds, asker.said ?? {}) };
}

/** docs/keys-and-scopes.md#what-a-change-answers */
function withoutUnsaid(body: unknown, { fields }: Withheld, said: object): unknown {
  const unsaid = Object.fromEntries(Object.entries(fields).filter(([field]) => !isSaid(said, field)));
  const { replacement } = body as { replacement?: object };
  const shown = { ...(body as object), ...unsaid };
  return replacement ? { ...shown, replacement: { ...replacement, ...unsaid } } : shown;
}

function isSaid(said: object, field: string): boolean {
  return field in said && said[field as keyof typeof said] !== undefined;
}

/** Whether the body is a stored `already_booked` error. */
function isAlreadyBooked(body: unknown): body is { appointmentId: string } {
  return typeof body === 'object' && body !== null && 'error' in body && body.error === 'already_booked';
}

type Identified = { id: string };

/** One appointment, and its replacement if there is one. */
export const showsAppointment: ShowsPatients = (body) => {
  const { id, replacement } = body as Identified & { replacement?: Identified };
  return { kind: 'appointment', ids: replacement ? [id, replacement.id] : [id] };
};

/** A page of appointments. */
export const showsAppointments: ShowsPatients = (body) => ({ kind: 'appointment', ids: idsOf(body) });

/** Why a version was refused, which can name the patient. */
export const showsRefusalReason: ShowsPatients = (body, { path }) => {
  const { reason } = body as { reason: string | null };
  return { kind: 'appointment', ids: reason === null ? [] : [(path as Identified).id] };
};

/** What a patient answered about an appointment. */
export const showsPatientAnswer: ShowsPatients = (body) => ({
  kind: 'appointment',
  ids: [(body as { appointmentId: string }).appointmentId],
});

/** An import returns no patient data. But "unchanged" confirms the content to a key that may not read it. */
export const showsImported: ShowsPatients = (body, { caller }) => {
  const { items } = body as { items: readonly { result: string; id?: string }[] };
  const isTold = caller !== null && !hasScope(caller, READ);
  const ids = items.flatMap(({ result, id }) => (result === 'unchanged' && id !== undefined ? [id] : []));
  return { kind: 'appointment', ids: isTold ? ids : [] };
};

/** All appointments of a patient. The calls of the patient are shown with them. */
export const showsExport: ShowsPatients = (body) => ({
  kind: 'appointment',
  ids: (body as { appointments: readonly Identified[] }).appointments.map(({ id }) => id),
});

/** One call with its caller. */
export const showsCall: ShowsPatients = (body) => ({ kind: 'call', ids: [(body as Identified).id] });

/** A page of calls with their callers. */
export const showsCalls: ShowsPatients = (body) => ({ kind: 'call', ids: idsOf(body) });

/** A call with its transcript. */
export const showsTranscript: ShowsPatients = (body) => ({
  kind: 'transcript',
  ids: [(body as { call: Identified }).call.id],
});

/** The transcript of the call in the path. */
export const showsCallEvents: ShowsPatients = (_body, { path }) => ({
  kind: 'transcript',
  ids: [(path as Identified).id],
});

/** The body of an event about an appointment, a call or neither. */
export const showsEvent: ShowsPatients = (body) => shownByEvent(body as EventShown);

/** A receiver's response, which may repeat the event that was sent. */
export const showsAnswers: ShowsPatients = (body) => {
  const { appointmentId, attempts } = body as {
    appointmentId: string | null;
    attempts: readonly { responseExcerpt: string | null }[];
  };
  const isShown = appointmentId !== null && attempts.some(({ responseExcerpt }) => responseExcerpt);
  return { kind: 'event', ids: isShown ? [appointmentId] : [] };
};

function idsOf(body: unknown): string[] {
  return (body as { items: readonly Identified[] }).items.map(({ id }) => id);
}
