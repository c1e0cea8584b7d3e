import { shownName } from '../../../domain/patients/erased-name.ts';
import type { Timings } from '../../../domain/timings.ts';
import { html, type Html, type Part } from '../../../pages/html.ts';
import { savedNotice } from '../../edits/edit-parts.ts';
import { live, notice } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import type { Page } from '../../serving/page-request.ts';
import { ONE_APPOINTMENT_WORDS } from '../appointment-words.ts';
import { bookedNotice } from '../booking/booked-notice.ts';
import { patientForm } from '../patient-form.ts';
import { answers } from './answers-part.ts';
import type { WholeAppointment } from './find-whole-appointment.ts';
import { informed } from './informed-part.ts';
import { summary } from './summary-part.ts';
import { technicalPart } from './technical-part.ts';
import { chainOfMoves, timeline } from './timeline-part.ts';

export interface AppointmentPage {
  timings: Timings;
  /** Of the page's address: what was saved. */
  query: URLSearchParams;
  /** Why what was asked for was not done. */
  refusal?: Part;
}

const REFRESH_SECONDS = 10;

/** An appointment: who, when, with whom and what can be done; then whom it was told, and what happened to it. */
export function appointmentPage(
  view: View,
  whole: WholeAppointment,
  { timings, query, refusal }: AppointmentPage,
): Page {
  const { appointment, sent, entries, names, moves } = whole;
  const address = `/appointments/${appointment.id}`;
  const changes = entries.filter(({ kind }) => kind !== 'event');
  return {
    title: shownName(appointment.patientName),
    body: html`${refusal !== undefined && notice('bad', refusal)} ${bookedNotice(view, query, whole)}
    ${savedNotice(view, query, patientForm(view), ONE_APPOINTMENT_WORDS[view.language].edit)}
    ${successor(view, whole)} ${summary(view, whole, timings)} ${answers(view, whole)}
    ${live('informed', REFRESH_SECONDS, informed(view, sent), { address })}
    ${chainOfMoves(view, moves, appointment.id)} ${timeline(view, changes, names)}
    ${technicalPart(view, whole)}`,
    status: refusal === undefined ? 200 : 409,
  };
}

/** To the appointment that counts, from one that something took the place of. */
function successor(view: View, { appointment, moves }: WholeAppointment): Html | null {
  const { rescheduledToId } = appointment;
  if (rescheduledToId === null) return null;
  const { movedTo, takenBackTo } = ONE_APPOINTMENT_WORDS[view.language];
  const next = moves.find(({ id }) => id === rescheduledToId);
  const last = moves.at(-1) ?? { id: rescheduledToId, startsAt: appointment.startsAt };
  return notice(
    'waiting',
    html`${next?.isReinstated ? takenBackTo : movedTo}
      <a href="/appointments/${last.id}">${view.format.dateTime(last.startsAt)}</a>.`,
  );
}
