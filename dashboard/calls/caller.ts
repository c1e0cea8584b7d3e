import { isolated } from '../../domain/isolated-text.ts';
import type { CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import type { Caller } from '../../db/calls/callers.ts';
import type { CallRow } from '../../db/entities/call.entity.ts';
import { WITHHELD } from '../../domain/calls/withheld-number.ts';
import { html, type Html } from '../../pages/html.ts';
import type { View } from '../layout/view.ts';
import { CALL_WORDS } from './words.ts';

/** A call with its caller; `caller` is undefined when no patient has the phone. */
export interface CallOfCaller {
  call: CallRow;
  caller: Caller | undefined;
  numbers: CallNumberSeal;
}

/** The patients with this phone. */
export function callerName({ language }: View, whose: CallOfCaller): string {
  const words = CALL_WORDS[language];
  if (whose.caller) return whose.caller.names.map(isolated).join(` ${words.or} `);
  return isWithheld(whose) ? words.withheld : words.newCaller;
}

export function isWithheld({ call, numbers }: Pick<CallOfCaller, 'call' | 'numbers'>): boolean {
  return numbers.show(call).fromNumber === WITHHELD;
}

/** The caller’s number as people read it. */
export function numberInWords(
  { language }: View,
  { call, numbers }: Pick<CallOfCaller, 'call' | 'numbers'>,
): string {
  const words = CALL_WORDS[language];
  const { fromNumber } = numbers.show(call);
  return fromNumber === WITHHELD ? words.withheld : (fromNumber ?? words.unreadable);
}

/** A link that dials the number on a phone. */
export function phoneLink(view: View, { call, numbers }: Pick<CallOfCaller, 'call' | 'numbers'>): Html {
  const { fromNumber } = numbers.show(call);
  const shown = numberInWords(view, { call, numbers });
  return fromNumber === shown ? html`<a class="phone" href="tel:${shown}">${shown}</a>` : html`${shown}`;
}

/** The caller's next appointment; null for unknown callers. */
export function nextVisit({ language, format }: View, { caller }: Pick<CallOfCaller, 'caller'>): Html | null {
  if (!caller) return null;
  const words = CALL_WORDS[language];
  const { next } = caller;
  if (!next) return html`${words.noNextVisit}`;
  return html`${words.nextVisit}: <a href="/appointments/${next.id}">${format.dateTime(next.startsAt)}</a>`;
}
