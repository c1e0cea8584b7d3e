import type { AppointmentRow } from '../../../db/entities/appointment.entity.ts';
import {
  decideStatus,
  type AppointmentStatus,
  type SettableStatus,
} from '../../../domain/appointments/appointment-status.ts';
import { localDayOf } from '../../../domain/clinic/hours/local-day.ts';
import { html, type Html } from '../../../pages/html.ts';
import { versionInput } from '../../edits/version.ts';
import { choice, form } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import { ONE_APPOINTMENT_WORDS } from '../appointment-words.ts';
import { BOOKING_WORDS } from '../booking-words.ts';
import { APPOINTMENT_WORDS } from '../words.ts';

/** What the rules allow now: docs/appointments.md#transitions */
export function actions(view: View, appointment: AppointmentRow): Html | null {
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

/** Before its day nobody is at the desk to be checked in. */
function isDue({ format, now }: View, { startsAt }: AppointmentRow): boolean {
  return startsAt < localDayOf(now, format.zone).until;
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
  return html`<details class="cancellation">
    <summary>${cancel.title}</summary>
    ${form(view, { action: `/appointments/${id}`, confirm: cancel.confirm }, fields)}
  </details>`;
}
