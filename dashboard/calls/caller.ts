import { isolated } from '../../domain/text/isolated-text.ts';
import type { Caller } from '../../db/calls/callers.ts';
import type { CallRow } from '../../db/entities/calls/call.entity.ts';
import { WITHHELD } from '../../domain/calls/withheld-number.ts';
import { html, type Html } from '../../pages/html.ts';
import type { View } from '../layout/view.ts';
import { CALL_WORDS } from './words.ts';

export interface CallOfCaller {
  call: CallRow;
  /** The caller's number; null when it was erased or cannot be decrypted. */
  fromNumber: string | null;
  /** The patients with the caller's phone; undefined when there are none. */
  caller: Caller | undefined;
}

type Calling = Pick<CallOfCaller, 'fromNumber'>;

/** The patients with this phone. */
export function callerName({ language }: View, whose: CallOfCaller): string {
  const words = CALL_WORDS[language];
  if (whose.caller) return whose.caller.names.map(isolated).join(` ${words.or} `);
  return isWithheld(whose) ? words.withheld : words.newCaller;
}

export function isWithheld({ fromNumber }: Calling): boolean {
  return fromNumber === WITHHELD;
}

/** The caller’s number as people read it. */
export function numberInWords({ language }: View, { fromNumber }: Calling): string {
  const words = CALL_WORDS[language];
  return fromNumber === WITHHELD ? words.withheld : (fromNumber ?? words.unreadable);
}

/** A link that dials the number on a phone. */
export function phoneLink(view: View, { fromNumber }: Calling): Html {
  const shown = numberInWords(view, { fromNumber });
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
