import { z } from 'zod';
import type { TimelineEntry, Move } from '../../../db/appointments/appointment-history.ts';
import { mayUse } from '../../../domain/people/roles.ts';
import { html, type Html } from '../../../pages/html.ts';
import { byActor } from '../../language/actor-name.ts';
import { badge, instant } from '../../layout/components.ts';
import { placesFor } from '../../layout/navigation.ts';
import type { View } from '../../layout/view.ts';
import { EVENT_WORDS } from '../../webhooks/event-words.ts';
import { appointmentState, type Timed } from '../appointment-state.ts';
import { ONE_APPOINTMENT_WORDS } from '../appointment-words.ts';
import type { WholeAppointment } from './find-whole-appointment.ts';
import { TIMELINE_WORDS } from './timeline-words.ts';
import { APPOINTMENT_WORDS } from '../words.ts';

const UNDONE = z.enum(['attended', 'no_show', 'cancelled']);
const reinstatement = z.object({ reinstated: z.literal(true), status: z.object({ from: UNDONE }) });

/** The most entries shown, so that the page stays small when notes are edited often. */
const MAX_ENTRIES = 100;

/** The changes of the appointment with actors and events, latest first. */
export function timeline(
  view: View,
  entries: readonly TimelineEntry[],
  names: ReadonlyMap<string, string>,
): Html {
  const words = TIMELINE_WORDS[view.language];
  const told = entries.filter(({ kind }) => kind !== 'delivery').toReversed();
  return html`<h2>${words.title}</h2>
    <ol class="timeline" reversed>
      ${told.slice(0, MAX_ENTRIES).map((entry) => {
        const at = new Date(entry.atMs);
        return html`<li>
          ${instant(at, view.format.dateTime(at))}<br />
          ${entry.kind === 'event' ? eventLine(view, entry) : changeLine(view, entry, names)}
        </li>`;
      })}
    </ol>
    ${told.length > MAX_ENTRIES && html`<p class="soft">${words.earlier}</p>`}`;
}

/** The changes since a page was built, for someone whose change was refused. */
export function sinceShown(
  view: View,
  { appointment, entries, names }: WholeAppointment,
  version: number,
): Html {
  const { meanwhile, again } = TIMELINE_WORDS[view.language];
  const changes = entries.filter(({ kind }) => kind !== 'delivery' && kind !== 'event');
  const since = changes.slice(-Math.max(1, appointment.version - version));
  return html`<p>${meanwhile}</p>
    <ul>
      ${since.map(
        (entry) =>
          html`<li>${view.format.dateTime(new Date(entry.atMs))}: ${changeLine(view, entry, names)}</li>`,
      )}
    </ul>
    <p>${again}</p>`;
}

function eventLine({ language }: View, { eventType, eventId }: TimelineEntry): Html {
  const words = TIMELINE_WORDS[language];
  return html`${words.told}: ${eventType && EVENT_WORDS[language].types[eventType]}
    <span class="soft"><code>${eventType}</code> <code>${eventId}</code></span>`;
}

function changeLine(view: View, entry: TimelineEntry, names: ReadonlyMap<string, string>): Html {
  const words = TIMELINE_WORDS[view.language];
  const details = detailsOf(view, entry.changes ?? {});
  const kinds: Partial<Record<string, string>> = words.changes;
  const what = undoneBy(entry, words) ?? kinds[entry.kind];
  return html`<strong>${what ?? words.changed}</strong>
    ${byActor(entry.actor, names, view.language)}${details.map((detail) => html`<br />${detail}`)}
    ${callOf(view, entry)}`;
}

/** The status that a reinstatement undid, in words; undefined for other changes. */
function undoneBy(
  { changes }: TimelineEntry,
  { undone }: { undone: Record<z.infer<typeof UNDONE>, string> },
): string | undefined {
  const status = reinstatement.safeParse(changes).data?.status.from;
  return status && undone[status];
}

/** A link to the call, for staff who may see calls. */
function callOf({ session, language }: View, { changes }: TimelineEntry): Html | null {
  const id = changes?.['callId'];
  if (typeof id !== 'string' || !mayUse(session, 'calls')) return null;
  return html`<br /><a href="/calls/${id}">${ONE_APPOINTMENT_WORDS[language].inCall}</a>`;
}

/** The details of a change that people understand. */
function detailsOf({ language, format }: View, changes: Record<string, unknown>): string[] {
  const words = TIMELINE_WORDS[language];
  const { fields, reason, startsAt, overlap } = changes;
  const named: Partial<Record<string, string>> = words.fields;
  const reasons: Partial<Record<string, string>> = APPOINTMENT_WORDS[language].reasons;
  const times = timesOf(startsAt).map((at) => format.dateTime(at));
  return [
    ...(times.length > 0 ? [times.join(' → ')] : []),
    ...(overlap === true ? [words.overlap] : []),
    ...(typeof reason === 'string' ? [`${words.reason}: ${reasons[reason] ?? reason}`] : []),
    ...(Array.isArray(fields)
      ? [`${words.changed}: ${fields.map((name) => named[String(name)] ?? String(name)).join(', ')}`]
      : []),
  ];
}

/** One time, or both times of a move. */
function timesOf(startsAt: unknown): Date[] {
  const texts =
    typeof startsAt === 'object' && startsAt !== null
      ? ['from', 'to'].map((end) => (startsAt as Record<string, unknown>)[end])
      : [startsAt];
  return texts.filter((text) => typeof text === 'string').map((text) => new Date(text));
}

/**
 * The chain of moves; null for an appointment that was not moved. Undoing a status is not a move: it is in the history.
 */
export function chainOfMoves(view: View, chain: readonly Move[], id: string): Html | null {
  const moves = chain.filter((_, at) => chain[at + 1]?.isReinstated !== true);
  if (moves.length < 2) return null;
  const words = TIMELINE_WORDS[view.language];
  return html`<h2>${words.chain}</h2>
    <p>${words.chainText}</p>
    <ol>
      ${moves.map((move) => {
        const at = view.format.dateTime(move.startsAt);
        return html`<li>
          ${move.id === id ? html`<strong>${at}</strong> (${words.thisOne})` : html`<a href="${placesFor(view.session).appointments}/${move.id}">${at}</a>`}
          ${stateWithin(view, moves, move)}
        </li>`;
      })}
    </ol>`;
}

/** The status to show. A reinstated appointment does not count as moved, although another appointment replaced it. */
export function stateWithin(view: View, moves: readonly Move[], appointment: Timed & { id: string }): Html {
  const next = moves[moves.findIndex(({ id }) => id === appointment.id) + 1];
  return appointment.status === 'rescheduled' && next?.isReinstated
    ? badge('idle', TIMELINE_WORDS[view.language].takenBack)
    : appointmentState(appointment, view);
}
