import type { AppointmentRow } from '../../../db/entities/appointment.entity.ts';
import { isolated } from '../../../domain/text/isolated-text.ts';
import { shownName } from '../../../domain/patients/erased-name.ts';
import { html, type Html, type Part } from '../../../pages/html.ts';
import { savedNotice } from '../../edits/edit-parts.ts';
import { versionInput } from '../../edits/version.ts';
import { live, notice, facts } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import type { Page } from '../../serving/page-request.ts';
import { ONE_APPOINTMENT_WORDS } from '../appointment-words.ts';
import { statusNotice } from '../done-notice.ts';
import { bookedNotice } from '../booking/booked-notice.ts';
import { patientForm } from '../patient-form.ts';
import type { WholeAppointment } from './find-whole-appointment.ts';
import { informed } from './informed-part.ts';
import { summary } from './summary-part.ts';
import { chainOfMoves, timeline } from './timeline-part.ts';
import { wordsOfKey } from '../../language/words-of-key.ts';
import { EDIT_WORDS } from '../../edits/words.ts';
import { mayUse } from '../../../domain/people/roles.ts';
import { READS } from '../../patient-reads/read-list-page.ts';
import { EVENT_WORDS } from '../../webhooks/event-words.ts';
import { sentTable } from './reach-part.ts';
import { TIMELINE_WORDS } from './timeline-words.ts';

export interface AppointmentPage {
  /** The query string of the page's address, which says what was saved. */
  query: URLSearchParams;
  /** Why the action was refused. */
  refusal?: Part;
}

const REFRESH_SECONDS = 10;

/** An appointment: patient, time, professional and actions; then who was notified, and the history. */
export function appointmentPage(
  view: View,
  whole: WholeAppointment,
  { query, refusal }: AppointmentPage,
): Page {
  const { appointment, sent, entries, names, moves } = whole;
  const address = `/appointments/${appointment.id}`;
  const changes = entries.filter(({ kind }) => kind !== 'event');
  return {
    title: shownName(appointment.patientName),
    body: html`${refusal !== undefined && notice('bad', refusal)} ${bookedNotice(view, query, whole)}
    ${doneHere(view, appointment, query)}
    ${savedNotice(view, query, patientForm(view), ONE_APPOINTMENT_WORDS[view.language].edit)}
    ${successor(view, whole)} ${summary(view, whole)} ${answers(view, whole)}
    ${live('informed', REFRESH_SECONDS, informed(view, sent), { address })}
    ${chainOfMoves(view, moves, appointment.id)} ${timeline(view, changes, names)}
    ${technicalPart(view, whole)}`,
    status: refusal === undefined ? 200 : 409,
  };
}

/** What a button of this page did, if the address says so. */
function doneHere(view: View, appointment: AppointmentRow, query: URLSearchParams): Html | null {
  const done = (['settled', 'undone'] as const).find((each) => query.has(each));
  if (done === undefined) return null;
  const action = `/appointments/${appointment.id}/take-back`;
  return statusNotice(view, appointment, done, { action, fields: versionInput(appointment.version) });
}

/** A link from a replaced appointment to the current one. */
function successor(view: View, { appointment, moves }: WholeAppointment): Html | null {
  const { rescheduledToId } = appointment;
  if (rescheduledToId === null) return null;
  const { movedTo, takenBackTo } = ONE_APPOINTMENT_WORDS[view.language];
  const next = moves.find(({ id }) => id === rescheduledToId);
  const last = moves.at(-1) ?? { id: rescheduledToId, startsAt: appointment.startsAt };
  return notice(
    'idle',
    html`${next?.isReinstated ? takenBackTo : movedTo}
      <a href="/appointments/${last.id}">${view.format.dateTime(last.startsAt)}</a>.`,
  );
}

/** The most answers shown, so that the page stays small. */
const MAX_ANSWERS = 40;
const MAX_ANSWER = 500;

/** The patient's intake form and feedback; null without any. */
function answers(view: View, { triage, rating }: WholeAppointment): Html | null {
  if (!triage && !rating) return null;
  const words = ONE_APPOINTMENT_WORDS[view.language];
  return html`${
    triage &&
    html`<h2>${words.triage}</h2>
      ${facts(
        Object.entries(triage.answers)
          .slice(0, MAX_ANSWERS)
          .map(([name, answer]) => [capital(wordsOfKey(name)), answerText(view, answer)] as const),
      )}`
  }
  ${
    rating &&
    html`<h2>${words.rating}</h2>
      <p><strong>${words.outOfTen(view.format.number(rating.score))}</strong></p>
      ${rating.comment && html`<blockquote>${rating.comment}</blockquote>`}`
  }`;
}

function answerText(view: View, answer: unknown): Part {
  if (Array.isArray(answer)) return answer.map((each) => isolated(plain(view, each))).join(', ');
  return plain(view, answer);
}

function plain({ language, format }: View, answer: unknown): string {
  const { yes, no } = EDIT_WORDS[language];
  if (typeof answer === 'boolean') return answer ? yes : no;
  if (typeof answer === 'number') return format.number(answer);
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return text.length > MAX_ANSWER ? `${text.slice(0, MAX_ANSWER)}…` : text;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The most events shown, so that the page stays small when notes are edited often. */
const MAX_EVENTS = 100;

/** Ids, events and deliveries, for people who maintain integrations. */
function technicalPart(view: View, whole: WholeAppointment): Html | null {
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
    .slice(0, MAX_EVENTS);
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
