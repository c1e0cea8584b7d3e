import type { TranscriptLine } from '../../db/calls/call-events.ts';
import type { CallSpeaker } from '../../domain/calls/call.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { instant } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { toolName, toolSentence, toolText, type Names } from './tool-text.ts';
import { TRANSCRIPT_WORDS } from './transcript-words.ts';

/** A change of the clinic's calendar during the call. */
export interface Moment {
  at: Date;
  what: Part;
}

export interface Transcript {
  lines: readonly TranscriptLine[];
  /** The changes of the whole call, earliest first. */
  moments: readonly Moment[];
  isFirstPage: boolean;
  isLastPage: boolean;
  names: Names;
}

/** What was said and done, in order. */
export function talk(view: View, { lines, moments, names, ...page }: Transcript): Html | null {
  const waiting = momentsOf(lines, moments, page);
  if (lines.length === 0 && waiting.length === 0) return null;
  const shown = lines.flatMap((line, at) => {
    if (isAnswer(line, lines[at - 1])) return [];
    const next = waiting.findIndex((moment) => moment.at.getTime() > line.atMs);
    const before = waiting.splice(0, next === -1 ? waiting.length : next);
    const answer = isAnswer(lines[at + 1], line) ? lines[at + 1] : undefined;
    return [...before.map((moment) => done(view, moment)), bubble(view, line, { answer, names })];
  });
  return html`<ol class="talk">
    ${shown} ${waiting.map((moment) => done(view, moment))}
  </ol>`;
}

/** Whether a line is the result of the tool call before it; both are shown as one. */
function isAnswer(line: TranscriptLine | undefined, before: TranscriptLine | undefined): boolean {
  return line?.type === 'tool_result' && before?.type === 'tool_call' && line.toolName === before.toolName;
}

/** The changes that belong to this page's lines. */
function momentsOf(
  lines: readonly TranscriptLine[],
  moments: readonly Moment[],
  { isFirstPage, isLastPage }: Pick<Transcript, 'isFirstPage' | 'isLastPage'>,
): Moment[] {
  const from = isFirstPage ? -Infinity : (lines[0]?.atMs ?? Infinity);
  const until = isLastPage ? Infinity : (lines.at(-1)?.atMs ?? Infinity);
  return moments.filter(({ at }) => at.getTime() >= from && at.getTime() < until);
}

interface Told {
  /** The result of a tool call. */
  answer: TranscriptLine | undefined;
  names: Names;
}

function bubble(view: View, line: TranscriptLine, { answer, names }: Told): Html {
  const words = TRANSCRIPT_WORDS[view.language];
  const { type, transcript, speaker } = line;
  const what = html`${speaker !== null && html`<strong>${words.speakers[speaker]}</strong><br />`}
  ${transcript ?? words.gone}`;
  // Speech without a speaker counts as the caller's.
  if (type === 'speech') return said(view, line, sideOf(speaker ?? 'caller'), what);
  if (type === 'transcription_final')
    return said(view, line, 'aside', html`<strong>${words.final}</strong><br />${transcript ?? words.gone}`);
  const told =
    type === 'tool_call'
      ? html`${toolSentence(view, line, names)} ${answer && toolText(view, answer, names)}`
      : html`<strong>${words.answer(toolName(line, view.language))}</strong> ${toolText(view, line, names)}`;
  return said(view, line, 'aside', told);
}

function sideOf(speaker: CallSpeaker): string {
  return speaker === 'caller' ? 'said theirs' : 'said ours tinted';
}

function said({ format }: View, { atMs }: TranscriptLine, className: string, what: Part): Html {
  const at = new Date(atMs);
  return html`<li class="${className}">${what} ${instant(at, format.timeWithSeconds(at))}</li>`;
}

function done({ format }: View, { at, what }: Moment): Html {
  return html`<li class="tinted good">${what} ${instant(at, format.timeWithSeconds(at))}</li>`;
}
