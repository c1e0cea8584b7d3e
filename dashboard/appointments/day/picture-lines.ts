import { shownName } from '../../../domain/patients/erased-name.ts';
import type { AgendaEntry } from '../../../db/appointments/lists/agenda.ts';
import type { TimeRange } from '../../../domain/appointments/slot.ts';
import { html, type Html, type Part } from '../../../pages/html.ts';
import { BLOCKS } from '../../blocks/block-form.ts';
import type { ShownBlock } from '../../blocks/shown-block.ts';
import type { View } from '../../layout/view.ts';
import { ONE_APPOINTMENT_WORDS } from '../appointment-words.ts';
import { APPOINTMENT_WORDS } from '../words.ts';
import type { Column } from './find-picture.ts';
import { DAY_WORDS } from './words.ts';

/** An appointment: who, what and what is unusual; once its day has come who is expected may be checked in. */
export function visitLine(view: View, { day }: Column, visit: AgendaEntry, place: string): Html {
  const { id, startsAt, patientName, serviceName, status, version } = visit;
  const words = DAY_WORDS[view.language];
  const address = `/appointments/${id}`;
  const isOpen = status === 'confirmed';
  // With an id of its own a link keeps the focus while the picture refreshes itself.
  return html`<li class="visit ${status} ${place}">
    <a id="v${id}" href="${address}"><b>${view.format.time(startsAt)}</b> ${shownName(patientName)}</a
    >${marksOf(view, visit)}<i>${serviceName}</i>${
      isOpen &&
      day.from <= view.now &&
      html`<button name="visit" value="${id} ${version}">
        ${ONE_APPOINTMENT_WORDS[view.language].checkIn}
      </button>`
    }${isOpen && html`<a class="move" href="${address}/move">${words.move}</a>`}
  </li>`;
}

/** How it stands, where that is not as booked; who booked it, where that was not the clinic; whether there are notes. */
function marksOf({ language }: View, { status, source, hasNotes }: AgendaEntry): Part {
  const { marks } = DAY_WORDS[language];
  const said = [
    ...(status === 'confirmed' ? [] : [APPOINTMENT_WORDS[language].statuses[status]]),
    ...(source === 'manual' ? [] : [marks[source]]),
    ...(hasNotes ? [marks.note] : []),
  ];
  return said.length > 0 && html`<small>${said.join(' · ')}</small>`;
}

export function blockLine(
  { format, language }: View,
  { id, startsAt, endsAt, title }: ShownBlock,
  place: string,
): Html {
  const text = `${format.time(startsAt)}–${format.time(endsAt)} ${title ?? DAY_WORDS[language].blocked}`;
  return html`<li class="block ${place}"><a href="${BLOCKS}/${id}">${text}</a></li>`;
}

/** A way to book at its beginning. */
export function freeLine(
  { format, language }: View,
  { professional, day }: Column,
  { from }: TimeRange,
  place: string,
): Html {
  const time = format.time(from);
  return html`<li class="free ${place}">
    <a href="/appointments/new?professional=${professional.id}&amp;at=${day.date}T${time}"
      >${time} ${DAY_WORDS[language].free}</a
    >
  </li>`;
}
