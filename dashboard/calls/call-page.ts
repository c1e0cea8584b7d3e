import { isolated } from '../../domain/text/isolated-text.ts';
import { shownName } from '../../domain/patients/erased-name.ts';
import type { TranscriptLine } from '../../db/calls/call-events.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { SlotHold } from '../../domain/appointments/slot-hold.ts';
import { needsCallBack } from '../../domain/calls/call-back.ts';
import { mayUse } from '../../domain/people/roles.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { appointmentState } from '../appointments/appointment-state.ts';
import type { Language } from '../language/language.ts';
import { facts, instant, nextPage, shortId } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../serving/page-request.ts';
import { bookLink, callBackNotice } from './call-back-part.ts';
import { callOutcome, lasted } from './call-list-page.ts';
import { callerName, isWithheld, nextVisit, phoneLink, type CallOfCaller } from './caller.ts';
import { talk, type Moment } from './transcript.ts';
import type { Names } from './tool-text.ts';
import { CALL_WORDS } from './words.ts';
import type { CallRow } from '../../db/entities/calls/call.entity.ts';
import { TRANSCRIPT_WORDS } from './transcript-words.ts';

export interface WholeCall extends CallOfCaller {
  toNumber: string | null;
  hasRecording: boolean;
  /** The summary; empty after it was erased. */
  summary: string | null;
  /** Appointments made in the call, and others of the caller from that day on. */
  agreed: readonly AppointmentRow[];
  visits: readonly AppointmentRow[];
  holds: readonly SlotHold[];
  lines: readonly TranscriptLine[];
  isFirstPage: boolean;
  /** Names of services, professionals and staff who called back. */
  names: Names;
  /** The cursor of the next lines. */
  cursor: string | null;
}

/** The page of a call: the caller, follow-up and agreed appointments, then the recording and transcript. */
export function callPage(view: View, whole: WholeCall): Page {
  const words = CALL_WORDS[view.language];
  const { call, caller, cursor, names } = whole;
  const nothing = html`<p class="soft">${words.noTranscript}</p>`;
  return {
    title: caller ? `${words.title} ${callerName(view, whole)}` : callerName(view, whole),
    body: html`${callBackNotice(view, call, names)} ${factsOf(view, whole)} ${agreed(view, whole)}
      <div class="beside">
        <section class="recording">
          <h2>${words.recording}</h2>
          ${recording(view, whole)}
        </section>
        <section>
          <h2>${words.transcript}</h2>
          ${talk(view, { ...whole, moments: momentsOf(view, whole), isLastPage: cursor === null }) ?? nothing}
          ${nextPage(new URLSearchParams(), cursor, words.onwards)}
        </section>
      </div>
      ${technicalPart(view, whole)}`,
  };
}

function factsOf(view: View, whole: WholeCall): Html {
  const words = CALL_WORDS[view.language];
  const { call, caller } = whole;
  const { startedAt } = call;
  const unknown = isWithheld(whole) ? words.noNumber : words.unknown;
  const visit = caller ? nextVisit(view, whole) : html`<span class="soft">${unknown}</span>`;
  return facts([
    [
      words.heads.caller,
      html`${callerName(view, whole)}<br />${visit}
        ${!needsCallBack(call, view.now) && html`<br />${bookLink(view, call, '')}`}`,
    ],
    [words.phone, phoneLink(view, whole)],
    [
      words.heads.start,
      html`${instant(startedAt, view.format.moment(startedAt, view.now))}
        <span class="under">${words.heads.lasted}: ${lasted(call, view)}</span>`,
    ],
    [words.heads.outcome, callOutcome(call, view)],
    ...evidenceOf(view, whole),
  ]);
}

/** docs/calls.md#evidence */
function evidenceOf({ language, format }: View, { call, summary }: WholeCall): [string, Part][] {
  const words = CALL_WORDS[language];
  const { aiDisclosedAt, recordingConsent, language: spoken } = call;
  return [
    [
      words.aiDisclosed,
      aiDisclosedAt ? words.disclosedAt(format.timeWithSeconds(aiDisclosedAt)) : words.notReported,
    ],
    [words.consent, recordingConsent ? words.consents[recordingConsent] : words.notReported],
    ...(spoken === null ? [] : [[words.language, languageName(spoken, language)] satisfies [string, Part]]),
    ...(summary ? [[words.summary, summary] satisfies [string, Part]] : []),
  ];
}

function languageName(tag: string, language: Language): string {
  return new Intl.DisplayNames(language, { type: 'language' }).of(tag) ?? tag;
}

function recording({ language }: View, { call, hasRecording }: WholeCall): Html {
  const words = CALL_WORDS[language];
  if (!hasRecording) return html`<p class="soft">${words.noRecording}</p>`;
  // The recording is not loaded before someone plays it.
  return html`<audio
    controls
    preload="none"
    src="/calls/${call.id}/recording"
    aria-label="${words.recording}"
  ></audio>`;
}

function agreed(view: View, whole: WholeCall): Html {
  const words = CALL_WORDS[view.language];
  return html`<h2>${words.agreed}</h2>
    ${
      whole.agreed.length === 0
        ? html`<p class="soft">${words.nothingAgreed}</p>`
        : appointmentList(view, whole.agreed, whole.names)
    }
    ${
      whole.visits.length > 0 &&
      html`<h3>${words.visits}</h3>
        ${appointmentList(view, whole.visits, whole.names)}`
    }`;
}

function appointmentList(view: View, appointments: readonly AppointmentRow[], names: Names): Html {
  return html`<ul>
    ${appointments.map(
      (appointment) =>
        html`<li>
          <a href="/appointments/${appointment.id}"
            >${shownName(appointment.patientName)}, ${view.format.dateTime(appointment.startsAt)}</a
          >
          ${whatWithWhom(appointment, names)} ${appointmentState(appointment, view)}
        </li>`,
    )}
  </ul>`;
}

function whatWithWhom({ serviceTypeId, professionalId }: AppointmentRow, names: Names): string {
  return [serviceTypeId, professionalId]
    .map((id) => names.get(id ?? ''))
    .filter((name) => name !== undefined)
    .map(isolated)
    .join(', ');
}

/** Details for people who maintain the phone integration. */
function technicalPart(view: View, { call, toNumber }: WholeCall): Html | null {
  if (!mayUse(view.session, 'webhooks')) return null;
  const words = CALL_WORDS[view.language];
  return html`<details class="technical">
    <summary>${words.technical}</summary>
    ${facts([
      [words.called, toNumber ?? words.unreadable],
      [words.carrier, html`<code>${call.telephonyCallControlId ?? '–'}</code>`],
      [words.number, shortId(view, call.id)],
    ])}
  </details>`;
}

interface DoneInCall {
  call: CallRow;
  agreed: readonly AppointmentRow[];
  holds: readonly SlotHold[];
  names: Names;
}

/** Bookings, moves and holds made in the call, to be shown within the transcript. */
function momentsOf(view: View, { agreed, holds, names }: DoneInCall): Moment[] {
  return [
    ...agreed.map((appointment) => made(view, appointment)),
    ...holds.map((hold) => held(view, hold, names)),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

function made({ language, format }: View, appointment: AppointmentRow): Moment {
  const words = TRANSCRIPT_WORDS[language];
  const { id, patientName, startsAt, createdAt, rescheduledFromId } = appointment;
  return {
    at: createdAt,
    what: html`<strong>${rescheduledFromId === null ? words.booked : words.moved}</strong>
      <a href="/appointments/${id}">${format.dateTime(startsAt)}, ${shownName(patientName)}</a>`,
  };
}

function held({ language, format }: View, hold: SlotHold, names: Names): Moment {
  const { kept, keptUntil } = TRANSCRIPT_WORDS[language];
  const whose = names.get(hold.professionalId);
  return {
    at: hold.createdAt,
    what: html`<strong>${kept}</strong>
      ${format.dateTime(hold.startsAt)}${whose !== undefined && `, ${whose}`}
      <span class="soft">(${keptUntil(format.time(hold.expiresAt))})</span>`,
  };
}
