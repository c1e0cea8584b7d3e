import { mayUse } from '../../../domain/people/roles.ts';
import { html, type Html, type Part } from '../../../pages/html.ts';
import { facts } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { READS } from '../../patient-reads/read-list-page.ts';
import { EVENT_WORDS } from '../../webhooks/event-words.ts';
import { ONE_APPOINTMENT_WORDS } from '../appointment-words.ts';
import type { WholeAppointment } from './find-whole-appointment.ts';
import { sentTable } from './reach-part.ts';
import { TIMELINE_WORDS } from './timeline-words.ts';

/** A page is to stay small, however often somebody edits the notes. */
const MOST_EVENTS = 100;

/** Numbers, events and deliveries, for those who look after the connection with other systems. */
export function technicalPart(view: View, whole: WholeAppointment): Html | null {
  if (!mayUse(view.session, 'webhooks')) return null;
  const { technical } = ONE_APPOINTMENT_WORDS[view.language];
  const { id, externalId, patientExternalId } = whole.appointment;
  const numbers: [string, string | null][] = [
    [technical.number, id],
    [technical.externalId, externalId],
    [technical.patientNumber, patientExternalId],
  ];
  const known = numbers.filter(([, value]) => value !== null);
  return html`<details class="technical">
    <summary>${technical.title}</summary>
    ${facts(known.map(([name, value]): [string, Part] => [name, html`<code>${value}</code>`]))}
    ${mayUse(view.session, 'settings') && html`<p><a href="${READS}?appointment=${id}">${technical.seen}</a></p>`}
    <h2>${TIMELINE_WORDS[view.language].sentTitle}</h2>
    ${sentTable(view, whole.sent)} ${events(view, whole)}
  </details>`;
}

function events({ language, format }: View, { entries }: WholeAppointment): Html {
  const told = entries
    .filter(({ kind }) => kind === 'event')
    .toReversed()
    .slice(0, MOST_EVENTS);
  return html`<h2>${ONE_APPOINTMENT_WORDS[language].technical.events}</h2>
    <ul>
      ${told.map(
        ({ atMs, eventType, eventId }) =>
          html`<li>
            ${format.dateTime(new Date(atMs))}: ${eventType && EVENT_WORDS[language].types[eventType]}
            <span class="soft"><code>${eventType}</code> <code>${eventId}</code></span>
          </li>`,
      )}
    </ul>`;
}
