import { shownName } from '../../domain/patients/erased-name.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { CallRow } from '../../db/entities/call.entity.ts';
import type { SlotHold } from '../../domain/appointments/slot-hold.ts';
import { html } from '../../pages/html.ts';
import type { View } from '../layout/view.ts';
import type { Moment } from './talk.ts';
import { TALK_WORDS } from './talk-words.ts';
import type { Names } from './tool-text.ts';

export interface DoneInCall {
  call: CallRow;
  agreed: readonly AppointmentRow[];
  holds: readonly SlotHold[];
  names: Names;
}

/** What was done to the clinic's book in the call, in the place that it has in the talk: bookings, moves and times that were kept. */
export function momentsOf(view: View, { agreed, holds, names }: DoneInCall): Moment[] {
  return [
    ...agreed.map((appointment) => made(view, appointment)),
    ...holds.map((hold) => held(view, hold, names)),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

function made({ language, format }: View, appointment: AppointmentRow): Moment {
  const words = TALK_WORDS[language];
  const { id, patientName, startsAt, createdAt, rescheduledFromId } = appointment;
  return {
    at: createdAt,
    what: html`<strong>${rescheduledFromId === null ? words.booked : words.moved}</strong>
      <a href="/appointments/${id}">${format.dateTime(startsAt)}, ${shownName(patientName)}</a>`,
  };
}

function held({ language, format }: View, hold: SlotHold, names: Names): Moment {
  const { kept, keptUntil } = TALK_WORDS[language];
  const whose = names.get(hold.professionalId);
  return {
    at: hold.createdAt,
    what: html`<strong>${kept}</strong>
      ${format.dateTime(hold.startsAt)}${whose !== undefined && `, ${whose}`}
      <span class="soft">(${keptUntil(format.time(hold.expiresAt))})</span>`,
  };
}
