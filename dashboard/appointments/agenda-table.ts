import { shownName } from '../../domain/patients/erased-name.ts';
import type { AgendaEntry } from '../../db/appointments/lists/agenda.ts';
import { html, type Html } from '../../pages/html.ts';
import { instant, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { appointmentState } from './appointment-state.ts';
import { APPOINTMENT_WORDS } from './words.ts';

/** Appointments by time, each leading to its page. */
export function agendaTable(
  view: View,
  entries: readonly AgendaEntry[],
  { caption, withProfessional }: { caption: string; withProfessional: boolean },
): Html {
  const { heads, none } = APPOINTMENT_WORDS[view.language];
  const withIt = (text: string) => (withProfessional ? [text] : []);
  return table({
    caption,
    heads: [heads.time, heads.patient, heads.service, ...withIt(heads.professional), heads.status],
    rows: entries.map((entry) => ({
      cells: [
        html`${instant(entry.startsAt, view.format.time(entry.startsAt))}–${view.format.time(entry.endsAt)}`,
        patientLink(entry),
        entry.serviceName ?? '–',
        ...withIt(entry.professionalName),
        appointmentState(entry.status, view),
      ],
    })),
    empty: none,
  });
}

/** With an id of its own it keeps the focus while the list refreshes itself. */
function patientLink({ id, patientName }: AgendaEntry): Html {
  const name = shownName(patientName);
  return html`<a id="appointment-${id}" href="/appointments/${id}">${name}</a>`;
}
