import { shownByEvent, type EventShown, type ShownPatients } from '../../domain/patient-read.ts';

/** What of an answer's body shows patients: for the log of who read what, docs/operations.md#who-read-what */
export type ShowsPatients = (body: unknown) => ShownPatients;

type Identified = { id: string };

/** One appointment. */
export const showsAppointment: ShowsPatients = (body) => ({
  kind: 'appointment',
  ids: [(body as Identified).id],
});

/** A page of appointments. */
export const showsAppointments: ShowsPatients = (body) => ({ kind: 'appointment', ids: idsOf(body) });

/** A page of calls, with who called. */
export const showsCalls: ShowsPatients = (body) => ({ kind: 'call', ids: idsOf(body) });

/** A call with what was said. */
export const showsTranscript: ShowsPatients = (body) => ({
  kind: 'transcript',
  ids: [(body as { call: Identified }).call.id],
});

/** The body of an event, of an appointment, of a call, or of neither. */
export const showsEvent: ShowsPatients = (body) => shownByEvent(body as EventShown);

/** What a receiver answered, which may repeat what it was sent. */
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
