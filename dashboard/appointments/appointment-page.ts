import { awaitedFrom } from '../../domain/appointments/awaited-from.ts';
import { decideStatus, type SettableStatus } from '../../domain/appointments/appointment-status.ts';
import { localDayOf } from '../../domain/clinic/local-day.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import { noShowDueAt, type Timings } from '../../domain/timings.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { facts, live, notice } from '../layout/components.ts';
import { errorText, ERROR_WORDS } from '../layout/error-words.ts';
import { choice, form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../page-request.ts';
import { appointmentState } from './appointment-state.ts';
import { ONE_APPOINTMENT_WORDS } from './appointment-words.ts';
import { BOOKING_WORDS } from './booking-words.ts';
import type { WholeAppointment } from './find-whole-appointment.ts';
import { reachOf } from './reach.ts';
import { reachNotice, sentTable } from './reach-part.ts';
import { chainOfMoves, timeline } from './timeline-part.ts';
import { TIMELINE_WORDS } from './timeline-words.ts';
import { APPOINTMENT_WORDS } from './words.ts';

/** Everything of one appointment. @param refused why what was asked for was not done */
export function appointmentPage(
  view: View,
  whole: WholeAppointment,
  timings: Timings,
  refused?: { code: ErrorCode; status: number },
): Page {
  const words = ONE_APPOINTMENT_WORDS[view.language];
  const { appointment, sent, entries, names, moves } = whole;
  return {
    title: `${words.title} ${appointment.patientName}`,
    body: html`${refused && notice('bad', errorText(ERROR_WORDS[view.language], refused.code))}
      ${replacement(view, whole)} ${live('reach', 10, reachNotice(view, reachOf(sent)))}
      ${facts(factsOf(view, whole, timings))} ${changes(view, whole)}
      ${chainOfMoves(view, moves, appointment.id)}
      <h2>${TIMELINE_WORDS[view.language].sentTitle}</h2>
      ${sentTable(view, sent)} ${timeline(view, entries, names)}`,
    status: refused?.status ?? 200,
  };
}

function replacement(view: View, { appointment, moves }: WholeAppointment): Html | null {
  const { rescheduledToId } = appointment;
  if (rescheduledToId === null) return null;
  const { movedTo } = ONE_APPOINTMENT_WORDS[view.language];
  const last = moves.at(-1) ?? { id: rescheduledToId, startsAt: appointment.startsAt };
  return notice(
    'waiting',
    html`${movedTo} <a href="/appointments/${last.id}">${view.format.dateTime(last.startsAt)}</a>.`,
  );
}

function factsOf(view: View, whole: WholeAppointment, timings: Timings): [string, Part][] {
  const words = ONE_APPOINTMENT_WORDS[view.language];
  const { sources, reasons } = APPOINTMENT_WORDS[view.language];
  const { format } = view;
  const { appointment, professionalName, serviceName } = whole;
  const { startsAt, endsAt, status, checkedInAt, cancellationReason: reason } = appointment;
  const day = localDayOf(startsAt, format.zone).date;
  const dueAt = noShowDueAt(awaitedFrom(appointment), timings);
  return [
    [
      words.when,
      html`${format.day(startsAt)}, ${format.time(startsAt)}–${format.time(endsAt)}<br />
        <a href="/appointments?day=${day}">${words.day}</a>`,
    ],
    [words.status, appointmentState(status, view)],
    [words.professional, professionalName],
    [words.service, serviceName ?? '–'],
    [words.bookedBy, sources[appointment.source]],
    [words.bookedAt, format.dateTime(appointment.createdAt)],
    ...(appointment.callId
      ? [
          [words.inCall, html`<a href="/calls/${appointment.callId}">${words.toCall}</a>`] satisfies [
            string,
            Part,
          ],
        ]
      : []),
    ...(checkedInAt ? [[words.checkedIn, format.dateTime(checkedInAt)] satisfies [string, Part]] : []),
    ...(reason ? [[words.reason, reasons[reason]] satisfies [string, Part]] : []),
    ...(status === 'confirmed'
      ? [[words.noShow, html`${format.dateTime(dueAt)}, ${words.noShowHint}`] satisfies [string, Part]]
      : []),
    [words.notes, appointment.patientNotes ?? words.none],
    ...(appointment.externalId
      ? [[words.externalId, html`<code>${appointment.externalId}</code>`] satisfies [string, Part]]
      : []),
    [words.number, html`<code>${appointment.id}</code>`],
  ];
}

/** What the rules allow now: docs/appointments.md#transitions */
function changes(view: View, { appointment }: WholeAppointment): Html | null {
  const words = ONE_APPOINTMENT_WORDS[view.language];
  const { id, status } = appointment;
  const may = (to: SettableStatus) => decideStatus(appointment, to, view.now).kind === 'change';
  const action = `/appointments/${id}`;
  const button = (to: SettableStatus, label: string, className: string) =>
    form(
      view,
      { action },
      html`<input type="hidden" name="status" value="${to}" />
        <button class="${className}">${label}</button>`,
    );
  const mayMove = status !== 'rescheduled' && status !== 'attended';
  if (status === 'rescheduled') return null;
  return html`<h2>${words.do}</h2>
    <div class="actions">
      ${may('attended') && button('attended', status === 'no_show' ? words.lateCheckIn : words.checkIn, '')}
      ${mayMove && html`<a class="button second" href="${action}/move">${BOOKING_WORDS[view.language].move}</a>`}
      ${may('no_show') && button('no_show', words.markNoShow, 'second')}
    </div>
    ${may('cancelled') && cancellation(view, action)}`;
}

function cancellation(view: View, action: string): Html {
  const { cancel } = ONE_APPOINTMENT_WORDS[view.language];
  const { reasons } = APPOINTMENT_WORDS[view.language];
  const fields = html`<p>${cancel.text}</p>
    <input type="hidden" name="status" value="cancelled" />
    ${choice({
      name: 'reason',
      label: cancel.reason,
      value: 'patient_requested',
      options: [
        { value: 'patient_requested', label: reasons.patient_requested },
        { value: 'clinic_cancelled', label: reasons.clinic_cancelled },
      ],
    })}
    <button class="danger">${cancel.button}</button>`;
  return html`<details class="card">
    <summary>${cancel.title}</summary>
    ${form(view, { action, confirm: cancel.confirm }, fields)}
  </details>`;
}
