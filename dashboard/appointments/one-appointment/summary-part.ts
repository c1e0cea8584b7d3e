import { z } from 'zod';
import { localDayOf } from '../../../domain/clinic/hours/local-day.ts';
import { mayUse } from '../../../domain/people/roles.ts';
import { html, type Html, type Part } from '../../../pages/html.ts';
import { facts, instant } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { ONE_APPOINTMENT_WORDS } from '../appointment-words.ts';
import { acknowledgementLine } from '../unacknowledged/acknowledgement-line.ts';
import { UNACKNOWLEDGED_WORDS } from '../unacknowledged/words.ts';
import { APPOINTMENT_WORDS } from '../words.ts';
import type { WholeAppointment } from './find-whole-appointment.ts';
import { stateWithin } from './timeline-part.ts';
import type { AppointmentRow } from '../../../db/entities/appointment.entity.ts';
import {
  decideStatus,
  type AppointmentStatus,
  type SettableStatus,
} from '../../../domain/appointments/appointment-status.ts';
import { versionInput } from '../../edits/version.ts';
import { choice, form } from '../../layout/form.ts';
import { BOOKING_WORDS } from '../booking-words.ts';

/** Time, service, professional, status and actions. */
export function summary(view: View, whole: WholeAppointment): Html {
  const { format, language } = view;
  const words = ONE_APPOINTMENT_WORDS[language];
  const { appointment, professionalName, serviceName, moves } = whole;
  const { startsAt, endsAt, patientConfirmedAt: confirmedAt } = appointment;
  const day = localDayOf(startsAt, format.zone).date;
  const said = standing(view, whole);
  const line = acknowledgementLine(view, whole);
  return html`<section class="card visit">
    <p class="visit-when">
      ${instant(startsAt, format.dayTitle(startsAt))}
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
      ...(confirmedAt === null ? [] : [[words.confirmedByPatient, format.dateTime(confirmedAt)] as const]),
      ...(whole.reach === 'none' ? [] : [[words.email, words.reach[whole.reach]] as const]),
      ...(line === null ? [] : [[UNACKNOWLEDGED_WORDS[language].practiceSoftware, line] as const]),
    ])}
  </section>`;
}

/** The change by a check-in after the appointment had become a no-show. */
const fromNoShow = z.object({ status: z.object({ from: z.literal('no_show') }) });

/** Details where the status is not enough. */
function standing(
  { language, format, now }: View,
  { appointment, entries, noShowDueAt: dueAt }: WholeAppointment,
): string | null {
  const words = ONE_APPOINTMENT_WORDS[language];
  const { status, startsAt, checkedInAt, cancellationReason: reason } = appointment;
  if (status === 'confirmed') {
    if (dueAt <= now) return words.overdue;
    return (startsAt <= now ? words.lateNow : words.missedFrom)(format.moment(dueAt, now));
  }
  if (status === 'attended' && checkedInAt) {
    const checkIn = entries.findLast(({ kind }) => kind === 'attended');
    const wasMissed = fromNoShow.safeParse(checkIn?.changes).success;
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

/** The currently allowed actions: docs/appointments.md#transitions */
function actions(view: View, appointment: AppointmentRow): Html | null {
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
  return html`<div class="actions">
      ${may('attended') && settle('attended', status === 'no_show' ? words.lateCheckIn : words.checkIn, isDue(view, appointment) ? '' : 'second')}
      ${status !== 'attended' && link('move', BOOKING_WORDS[view.language].move)}
      ${may('no_show') && settle('no_show', words.markNoShow, 'second')}
      ${
        status !== 'confirmed' &&
        button(view, appointment, {
          action: `${address}/take-back`,
          label: words.takeBack[status],
          className: 'second',
        })
      }
      ${link('edit', words.edit.title)}
    </div>
    ${may('cancelled') && cancellation(view, appointment)}`;
}

/** Whether the appointment's day has come; before it no one can be checked in. */
function isDue({ format, now }: View, { startsAt }: AppointmentRow): boolean {
  return startsAt < localDayOf(now, format.zone).until;
}

interface Button {
  action: string;
  /** The new status. */
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
  return html`<details class="cancellation">
    <summary>${cancel.title}</summary>
    ${form(view, { action: `/appointments/${id}`, confirm: cancel.confirm }, fields)}
  </details>`;
}
