import { isolated } from '../../domain/text/isolated-text.ts';
import type { TranscriptLine } from '../../db/calls/call-events.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Language } from '../language/language.ts';
import { wordsOfKey } from '../language/words-of-key.ts';
import type { View } from '../layout/view.ts';
import { TRANSCRIPT_WORDS } from './transcript-words.ts';

/** The names of professionals and services, by id. */
export type Names = ReadonlyMap<string, string>;

type Tool = Pick<TranscriptLine, 'toolName' | 'tool'>;

const MAX_FACTS = 8;
const MAX_TIMES = 5;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const ROW_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A tool's name in words, or the raw name if it is unknown. */
export function toolName({ toolName: name }: Pick<Tool, 'toolName'>, language: Language): string {
  const { tools, otherTool } = TRANSCRIPT_WORDS[language];
  const known: Readonly<Record<string, string>> = tools;
  return known[name ?? ''] ?? otherTool(name ?? '–');
}

/** What is said of a time that was chosen, in this order: “Booked: Cleaning, 4 Dec 2026, 15:00, Ana Reis”. */
const CHOSEN = ['serviceTypeId', 'startsAt', 'professionalId', 'patientName'];

/** A tool call as a sentence. */
export function toolSentence(view: View, { toolName: name, tool }: Tool, names: Names): Html {
  const { phrases, facts } = TRANSCRIPT_WORDS[view.language];
  const known: Readonly<Partial<Record<string, (value: string) => string>>> = phrases;
  const labels: Readonly<Partial<Record<string, string>>> = facts;
  const order = Object.keys(phrases);
  const given = parsed(tool) ?? {};
  if (typeof given['startsAt'] === 'string') {
    const chosen = CHOSEN.map((key) => valueOf(view, given[key], names)).filter((text) => text !== null);
    return html`<strong>${toolName({ toolName: name }, view.language)}</strong>:
      ${chosen.map(isolated).join(', ')}`;
  }
  const said = Object.entries(given)
    .toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other))
    .flatMap(([key, value]) => {
      const text = valueOf(view, value, names);
      if (text === null) return [];
      return [known[key]?.(text) ?? `(${labels[key] ?? wordsOfKey(key)}: ${isolated(text)})`];
    });
  return html`<strong>${toolName({ toolName: name }, view.language)}</strong> ${said
      .slice(0, MAX_FACTS)
      .join(' ')}`;
}

/** The parts of a tool's result that people understand. */
export function toolText(view: View, { tool }: Tool, names: Names): Html | null {
  const given = parsed(tool);
  if (given === null) return tool === null ? null : html`<br />${TRANSCRIPT_WORDS[view.language].long}`;
  const { offered, refused } = TRANSCRIPT_WORDS[view.language];
  const { error, message } = given;
  if (typeof error === 'string')
    return html`<br />${refused}: ${typeof message === 'string' ? message : error}`;
  const times = spokenTimes(given);
  if (times.length > 0) return html`<br />${offered}: ${times.map(isolated).join('; ')}`;
  const facts = factsOf(view, given, names).slice(0, MAX_FACTS);
  return facts.length === 0 ? null : html`<br />${facts.join(', ')}`;
}

function parsed(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    // The text was too long and was cut.
    return null;
  }
}

/** The free times in the words that were spoken. */
function spokenTimes({ items, alternatives }: Record<string, unknown>): string[] {
  const list = [items, alternatives].find(Array.isArray) ?? [];
  return list
    .map((item: unknown) => (item as { spoken?: unknown } | null)?.spoken)
    .filter((spoken) => typeof spoken === 'string')
    .slice(0, MAX_TIMES);
}

/** “name: Maria Santos”, for values that are neither ids nor nested. */
function factsOf(view: View, given: Record<string, unknown>, names: Names): string[] {
  const labels: Readonly<Record<string, string>> = TRANSCRIPT_WORDS[view.language].facts;
  return Object.entries(given).flatMap(([name, value]) => {
    const said = valueOf(view, value, names);
    return said === null ? [] : [`${labels[name] ?? wordsOfKey(name)}: ${isolated(said)}`];
  });
}

function valueOf({ format }: View, value: unknown, names: Names): string | null {
  if (Array.isArray(value)) {
    const simple = value.filter((each) => typeof each === 'string' && !ROW_ID.test(each));
    return simple.length > 0 ? simple.join(' ') : null;
  }
  if (typeof value === 'number') return format.number(value);
  if (typeof value !== 'string' || value === '') return null;
  if (ROW_ID.test(value)) return names.get(value.toLowerCase()) ?? null;
  const at = INSTANT.test(value) ? new Date(value) : null;
  // A time from a language model may be invalid.
  return at && !Number.isNaN(at.getTime()) ? format.dateTime(at) : value;
}
