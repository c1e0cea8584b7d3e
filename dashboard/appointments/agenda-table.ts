import { shownName } from '../../domain/patients/erased-name.ts';
import type { LocalDay } from '../../domain/clinic/hours/local-day.ts';
import type { AgendaEntry } from '../../db/appointments/lists/agenda.ts';
import { html, type Html } from '../../pages/html.ts';
import { instant, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { appointmentState } from './appointment-state.ts';
import { DAY_WORDS } from './day/words.ts';
import { APPOINTMENT_WORDS } from './words.ts';

/** The appointments of a day by time, each with a link to its page. */
export function agendaTable(
  view: View,
  entries: readonly AgendaEntry[],
  { caption, day }: { caption: string; day: LocalDay },
): Html {
  const { heads, none } = APPOINTMENT_WORDS[view.language];
  return table({
    caption,
    heads: [heads.time, heads.patient, heads.service, heads.professional, heads.status],
    rows: entries.map((entry) => ({
      cells: [
        html`${instant(entry.startsAt, timeOn(view, day, entry.startsAt))}–${timeOn(view, day, entry.endsAt)}`,
        patientLink(entry),
        entry.serviceName ?? '–',
        entry.professionalName,
        html`${appointmentState(entry, view)}
        ${isConfirmed(entry) && html`<small>${DAY_WORDS[view.language].confirmation.yes}</small>`}`,
      ],
    })),
    empty: none,
  });
}

function isConfirmed({ status, patientConfirmedAt }: AgendaEntry): boolean {
  return status === 'confirmed' && patientConfirmedAt !== null;
}

/** A time, with the name of its day if that is not the day shown: an appointment over midnight belongs to both days. */
export function timeOn({ format }: View, { from, until }: LocalDay, at: Date): string {
  const isOfDay = from <= at && at <= until;
  return isOfDay ? format.time(at) : format.weekdayAndTime(at);
}

/** With its own id, the link keeps the focus when the list refreshes. */
function patientLink({ id, patientName }: AgendaEntry): Html {
  const name = shownName(patientName);
  return html`<a id="appointment-${id}" href="/appointments/${id}">${name}</a>`;
}
