import type { TranscriptLine } from '../../db/calls/call-transcript.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { CallRow } from '../../db/entities/call.entity.ts';
import { html, type Html } from '../../pages/html.ts';
import { appointmentState } from '../appointments/appointment-state.ts';
import { facts, instant, nextPage } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../page-request.ts';
import { callOutcome, lasted } from './call-list-page.ts';
import { talk, type Moment } from './talk.ts';
import { TALK_WORDS } from './talk-words.ts';
import type { Names } from './tool-text.ts';
import { CALL_WORDS } from './words.ts';

export interface WholeCall {
  call: CallRow;
  fromNumber: string | null;
  toNumber: string | null;
  hasRecording: boolean;
  /** Made in the call, or the caller's from its day on. */
  appointments: readonly AppointmentRow[];
  lines: readonly TranscriptLine[];
  isFirstPage: boolean;
  names: Names;
  /** Of the next lines. */
  cursor: string | null;
}

export function callPage(view: View, whole: WholeCall): Page {
  const words = CALL_WORDS[view.language];
  const { call, fromNumber, toNumber, hasRecording, cursor } = whole;
  const caller = fromNumber ?? words.unreadable;
  const nothing = html`<p class="soft">${words.noTranscript}</p>`;
  return {
    title: `${words.title} ${caller}`,
    body: html`${facts([
        [words.heads.start, instant(call.startedAt, view.format.dateTime(call.startedAt))],
        [words.heads.outcome, callOutcome(call, view)],
        [words.heads.lasted, lasted(call, view)],
        [words.called, toNumber ?? words.unreadable],
        [words.carrier, html`<code>${call.telephonyCallControlId ?? '–'}</code>`],
        [words.number, html`<code>${call.id}</code>`],
      ])}
      <h2>${words.recording}</h2>
      ${hasRecording ? player(words.recording, `/calls/${call.id}/recording`) : html`<p class="soft">${words.noRecording}</p>`}
      <h2>${words.appointments}</h2>
      ${appointmentsOf(view, whole)}
      <h2>${words.transcript}</h2>
      ${talk(view, { ...whole, moments: momentsOf(view, whole), isLastPage: cursor === null }) ?? nothing}
      ${nextPage(new URLSearchParams(), cursor, words.onwards)}`,
  };
}

/** Nothing is loaded before somebody plays it. */
function player(name: string, url: string): Html {
  return html`<audio controls preload="none" src="${url}" aria-label="${name}"></audio>`;
}

function appointmentsOf(view: View, { call, appointments }: WholeCall): Html {
  const words = CALL_WORDS[view.language];
  if (appointments.length === 0) return html`<p class="soft">${words.noAppointments}</p>`;
  return html`<ul>
    ${appointments.map(
      ({ id, patientName, startsAt, status, callId, createdAt }) =>
        html`<li>
          <a href="/appointments/${id}">${patientName}, ${view.format.dateTime(startsAt)}</a>
          ${appointmentState(status, view)}
          ${(callId === call.id || isWithin(createdAt, call)) && html`(${words.booked})`}
        </li>`,
    )}
  </ul>`;
}

function isWithin(at: Date, { startedAt, endedAt }: CallRow): boolean {
  return at >= startedAt && (endedAt === null || at <= endedAt);
}

/** Bookings and moves of the call, in the place that they have in the talk. */
function momentsOf(view: View, { call, appointments }: WholeCall): Moment[] {
  const words = TALK_WORDS[view.language];
  return appointments
    .filter(({ callId }) => callId === call.id)
    .map(({ id, patientName, startsAt, createdAt, rescheduledFromId }) => ({
      at: createdAt,
      what: html`<strong>${rescheduledFromId === null ? words.booked : words.moved}</strong>
        <a href="/appointments/${id}">${view.format.dateTime(startsAt)}, ${patientName}</a>`,
    }))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}
