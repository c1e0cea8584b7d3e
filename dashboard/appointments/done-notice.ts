import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { AppointmentStatus } from '../../domain/appointments/appointment-status.ts';
import { shownName } from '../../domain/patients/erased-name.ts';
import { html, type Html } from '../../pages/html.ts';
import { doneNotice } from '../layout/components.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import { ONE_APPOINTMENT_WORDS } from './appointment-words.ts';

/** What a button did, from the address of the next page. */
export type Done = 'settled' | 'undone';

export interface Undo {
  action: string;
  /** What identifies the appointment and its version, besides the button. */
  fields: Html;
  /** The value of the button, when it identifies the appointment. */
  visit?: string;
}

/** Says what was done, with a button that undoes it; null when the appointment has changed since. */
export function statusNotice(view: View, appointment: AppointmentRow, done: Done, undo: Undo): Html | null {
  const { done: words } = ONE_APPOINTMENT_WORDS[view.language];
  const status: AppointmentStatus = appointment.status;
  const name = shownName(appointment.patientName);
  if (status === 'rescheduled' || (status === 'confirmed') !== (done === 'undone')) return null;
  if (status === 'confirmed') return doneNotice(words.confirmed(name), null);
  const button = html`<button
    class="link"
    ${undo.visit !== undefined && html`name="visit" value="${undo.visit}"`}
  >
    ${FRAME_WORDS[view.language].undo}
  </button>`;
  return doneNotice(words[status](name), form(view, { action: undo.action }, html`${undo.fields} ${button}`));
}
