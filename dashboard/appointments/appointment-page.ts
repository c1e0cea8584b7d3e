import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { awaitedFrom } from '../../domain/appointments/awaited-from.ts';
import {
  decideStatus,
  type AppointmentStatus,
  type SettableStatus,
} from '../../domain/appointments/appointment-status.ts';
import { localDayOf } from '../../domain/clinic/local-day.ts';
import { noShowDueAt, type Timings } from '../../domain/timings.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { facts, live, notice } from '../layout/components.ts';
import { savedNotice } from '../edits/edit-parts.ts';
import { versionInput } from '../edits/version.ts';
import { choice, form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../page-request.ts';
import { appointmentState } from './appointment-state.ts';
import { ONE_APPOINTMENT_WORDS } from './appointment-words.ts';
import { BOOKING_WORDS } from './booking-words.ts';
import { patientForm } from './patient-form.ts';
import type { WholeAppointment } from './find-whole-appointment.ts';
import { reachOf } from './reach.ts';
import { reachNotice, sentTable } from './reach-part.ts';
import { chainOfMoves, timeline } from './timeline-part.ts';
import { TIMELINE_WORDS } from './timeline-words.ts';
import { APPOINTMENT_WORDS } from './words.ts';

export interface AppointmentPage {
  timings: Timings;
  /** Of the page's address: what was saved. */
  query: URLSearchParams;
  /** Why what was asked for was not done. */
  refusal?: Part;
}

/** Everything of one appointment. */
export function appointmentPage(
  view: View,
  whole: WholeAppointment,
  { timings, query, refusal }: AppointmentPage,
): Page {
  const words = ONE_APPOINTMENT_WORDS[view.language];
  const { appointment, sent, entries, names, moves } = whole;
  return {
    title: `${words.title} ${appointment.patientName}`,
    body: html`${refusal !== undefined && notice('bad', refusal)}
      ${savedNotice(view, query, patientForm(view), words.edit)} ${replacement(view, whole)}
      ${live('reach', 10, reachNotice(view, reachOf(sent)), { address: `/appointments/${appointment.id}` })}
      ${facts(factsOf(view, whole, timings))} ${changes(view, whole)}
      ${chainOfMoves(view, moves, appointment.id)}
      <h2>${TIMELINE_WORDS[view.language].sentTitle}</h2>
      ${sentTable(view, sent)} ${timeline(view, entries, names)}`,
    status: refusal === undefined ? 200 : 409,
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
  const { id } = appointment;
  const status: AppointmentStatus = appointment.status;
  if (status === 'rescheduled') return null;
  const may = (to: SettableStatus) => decideStatus(appointment, to, view.now).kind === 'change';
  const address = `/appointments/${id}`;
  const settle = (to: SettableStatus, label: string, className: string) =>
    button(view, appointment, { action: address, status: to, label, className });
  const link = (name: string, label: string) =>
    html`<a class="button second" href="${address}/${name}">${label}</a>`;
  return html`<h2>${words.do}</h2>
    <div class="actions">
      ${may('attended') && settle('attended', status === 'no_show' ? words.lateCheckIn : words.checkIn, '')}
      ${status !== 'attended' && link('move', BOOKING_WORDS[view.language].move)}
      ${may('no_show') && settle('no_show', words.markNoShow, 'second')} ${link('edit', words.edit.title)}
      ${
        status !== 'confirmed' &&
        button(view, appointment, {
          action: `${address}/take-back`,
          label: words.takeBack[status],
          className: 'second',
        })
      }
    </div>
    ${may('cancelled') && cancellation(view, appointment)}`;
}

interface Button {
  action: string;
  /** What it is to become. */
  status?: SettableStatus;
  label: string;
  className: string;
}

function button(view: View, { version }: AppointmentRow, { action, status, label, className }: Button): Html {
  return form(
    view,
    { action },
    html`${versionInput(version)}
      ${status !== undefined && html`<input type="hidden" name="status" value="${status}" />`}
      <button class="${className}">${label}</button>`,
  );
}

function cancellation(view: View, { id, version }: AppointmentRow): Html {
  const { cancel } = ONE_APPOINTMENT_WORDS[view.language];
  const { reasons } = APPOINTMENT_WORDS[view.language];
  const fields = html`<p>${cancel.text}</p>
    ${versionInput(version)}
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
    ${form(view, { action: `/appointments/${id}`, confirm: cancel.confirm }, fields)}
  </details>`;
}
