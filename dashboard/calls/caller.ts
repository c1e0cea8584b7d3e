import type { CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import type { Caller } from '../../db/calls/callers.ts';
import type { CallRow } from '../../db/entities/call.entity.ts';
import { html, type Html } from '../../pages/html.ts';
import type { View } from '../layout/view.ts';
import { CALL_WORDS } from './words.ts';

/** Of a call, by whose it is; `caller`: undefined when no patient has the phone. */
export interface CallOfCaller {
  call: CallRow;
  caller: Caller | undefined;
  numbers: CallNumberSeal;
}

/** Who called: the patients who have the phone. */
export function callerName({ language }: View, { caller }: Pick<CallOfCaller, 'caller'>): string {
  const words = CALL_WORDS[language];
  return caller ? caller.names.join(` ${words.or} `) : words.newCaller;
}

/** To be dialled by pressing it, on a phone. */
export function phoneLink(view: View, { call, numbers }: Pick<CallOfCaller, 'call' | 'numbers'>): Html {
  const { fromNumber } = numbers.show(call);
  if (fromNumber === null) return html`${CALL_WORDS[view.language].unreadable}`;
  return html`<a class="phone" href="tel:${fromNumber}">${fromNumber}</a>`;
}

/** When the caller comes next; nothing of someone whom the clinic does not know. */
export function nextVisit({ language, format }: View, { caller }: Pick<CallOfCaller, 'caller'>): Html | null {
  if (!caller) return null;
  const words = CALL_WORDS[language];
  const { next } = caller;
  if (!next) return html`${words.noNextVisit}`;
  return html`${words.nextVisit}: <a href="/appointments/${next.id}">${format.dateTime(next.startsAt)}</a>`;
}
