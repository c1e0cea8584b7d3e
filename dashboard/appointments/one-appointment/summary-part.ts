import { awaitedFrom } from '../../../domain/appointments/awaited-from.ts';
import { localDayOf } from '../../../domain/clinic/hours/local-day.ts';
import { mayUse } from '../../../domain/people/roles.ts';
import { noShowDueAt, type Timings } from '../../../domain/timings.ts';
import { html, type Html, type Part } from '../../../pages/html.ts';
import { facts, instant } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { ONE_APPOINTMENT_WORDS } from '../appointment-words.ts';
import { APPOINTMENT_WORDS } from '../words.ts';
import { actions } from './actions-part.ts';
import type { WholeAppointment } from './find-whole-appointment.ts';
import { stateWithin } from './timeline-part.ts';

/** When, what, with whom, how it stands, and what can be done about it. */
export function summary(view: View, whole: WholeAppointment, timings: Timings): Html {
  const { format, language } = view;
  const words = ONE_APPOINTMENT_WORDS[language];
  const { appointment, professionalName, serviceName, moves } = whole;
  const { startsAt, endsAt } = appointment;
  const day = localDayOf(startsAt, format.zone).date;
  const said = standing(view, whole, timings);
  return html`<section class="card visit">
    <p class="visit-when">
      ${instant(startsAt, format.day(startsAt))}
      <strong>${format.time(startsAt)}–${format.time(endsAt)}</strong>
      ${stateWithin(view, moves, appointment)}
    </p>
    <p>
      ${words.withWhom(serviceName, professionalName)} · <a href="/appointments?day=${day}">${words.day}</a>
    </p>
    ${said !== null && html`<p>${said}</p>`} ${actions(view, appointment)}
    ${facts([
      [words.notes, appointment.patientNotes ?? words.none],
      [words.bookedBy, bookedBy(view, whole)],
    ])}
  </section>`;
}

/** How it stands, where the status does not say all of it. */
function standing(
  { language, format, now }: View,
  { appointment, entries }: WholeAppointment,
  timings: Timings,
): string | null {
  const words = ONE_APPOINTMENT_WORDS[language];
  const { status, startsAt, checkedInAt, cancellationReason: reason } = appointment;
  if (status === 'confirmed') {
    const dueAt = noShowDueAt(awaitedFrom(appointment), timings);
    if (dueAt <= now) return words.overdue;
    return (startsAt <= now ? words.lateNow : words.missedFrom)(format.moment(dueAt, now));
  }
  if (status === 'attended' && checkedInAt) {
    const wasMissed = entries.some(({ kind }) => kind === 'no_show');
    return (wasMissed ? words.cameLate : words.checkedIn)(format.moment(checkedInAt, now));
  }
  return status === 'cancelled' && reason ? `${APPOINTMENT_WORDS[language].reasons[reason]}.` : null;
}

function bookedBy({ language, format, session }: View, { appointment }: WholeAppointment): Part {
  const { toCall } = ONE_APPOINTMENT_WORDS[language];
  const { source, createdAt, callId } = appointment;
  return html`${APPOINTMENT_WORDS[language].sources[source]}, ${format.dateTime(createdAt)}
  ${callId !== null && mayUse(session, 'calls') && html`<br /><a href="/calls/${callId}">${toCall}</a>`}`;
}
