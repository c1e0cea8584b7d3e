import { z } from 'zod';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { text } from '../../domain/bounded-text.schema.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { optional } from '../filled-in.schema.ts';
import { notice } from '../layout/components.ts';
import { form, longField } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { ONE_APPOINTMENT_WORDS } from './appointment-words.ts';
import { BOOKING_WORDS } from './booking-words.ts';

const LONGEST = 1000;

export const patientNotes = optional(text({ max: LONGEST }));

export const notesFields = z.object({
  patientNotes,
  /** Of the appointment, as it was when the form was shown. */
  version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number),
});

/** Notes that were not saved: 412 when somebody changed the appointment meanwhile, 422 when they are too long. */
export interface UnsavedNotes {
  text: string;
  status: 412 | 422;
}

/** The notes as they are stored, line by line. */
export function notesOf({ language }: View, { patientNotes: notes }: AppointmentRow): Part {
  return notes === null ? ONE_APPOINTMENT_WORDS[language].none : html`<span class="lines">${notes}</span>`;
}

/** Notes may be changed in every status. */
export function notesForm(view: View, appointment: AppointmentRow, unsaved?: UnsavedNotes): Html {
  const { changeNotes: words } = ONE_APPOINTMENT_WORDS[view.language];
  const { notes: label, wrong } = BOOKING_WORDS[view.language];
  const fields = html`<input type="hidden" name="version" value="${appointment.version}" />
    ${longField({
      name: 'patientNotes',
      label,
      value: unsaved?.text ?? appointment.patientNotes ?? '',
      hint: words.hint,
      error: unsaved?.status === 422 ? wrong.patientNotes : undefined,
      maxLength: LONGEST,
    })}
    <button>${words.button}</button>`;
  return html`<details class="card" ${unsaved && html`open`}>
    <summary>${words.title}</summary>
    ${
      unsaved?.status === 412 &&
      notice(
        'bad',
        html`<p>${words.meanwhile}</p>
          <p>${words.now} ${notesOf(view, appointment)}</p>`,
      )
    }
    ${form(view, { action: `/appointments/${appointment.id}/notes` }, fields)}
  </details>`;
}
