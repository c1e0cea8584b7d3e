import type { CallRow } from '../../db/entities/calls/call.entity.ts';
import { needsCallBack } from '../../domain/calls/call-back.ts';
import { html, type Html } from '../../pages/html.ts';
import { byActor } from '../language/actor-name.ts';
import { notice } from '../layout/components.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { FROM_CALL } from './fill-in-caller.ts';
import { CALL_WORDS } from './words.ts';

/** The follow-up of a call, with its buttons. */
export function callBackNotice(view: View, call: CallRow, names: ReadonlyMap<string, string>): Html | null {
  const { callBack: words } = CALL_WORDS[view.language];
  const { outcome } = call;
  if (needsCallBack(call, view.now)) {
    const reasons: Partial<Record<string, string>> = words.why;
    return notice(
      'waiting',
      html`<p><strong>${words.needed}.</strong> ${reasons[outcome ?? '']}</p>
        <div class="actions">${doneButton(view, call, '')} ${bookLink(view, call, 'button second')}</div>`,
    );
  }
  if (call.calledBackAt === null) return null;
  return notice(
    'good',
    html`<p>${doneBy(view, call, names)}</p>
      ${callBackForm(view, call, { status: 'open', label: words.again, className: 'link' })}`,
  );
}

/** The follow-up of a call in a list. */
export function callBackCell(view: View, call: CallRow, names: ReadonlyMap<string, string>): Html | null {
  if (call.calledBackAt !== null) return html`<span class="soft">${doneBy(view, call, names)}</span>`;
  if (!needsCallBack(call, view.now)) return null;
  return html`<div class="actions">${doneButton(view, call, 'second')} ${bookLink(view, call, '')}</div>`;
}

export function bookLink({ language }: View, { id }: CallRow, className: string): Html {
  return html`<a class="${className}" href="/appointments/new?${FROM_CALL}=${id}"
    >${CALL_WORDS[language].callBack.book}</a
  >`;
}

function doneBy({ language, format, now }: View, call: CallRow, names: ReadonlyMap<string, string>): string {
  const at = format.moment(call.calledBackAt ?? now, now);
  return CALL_WORDS[language].callBack.doneBy(byActor(call.calledBackBy, names, language), at);
}

function doneButton(view: View, call: CallRow, className: string): Html {
  const { done } = CALL_WORDS[view.language].callBack;
  return callBackForm(view, call, { status: 'done', label: done, className });
}

interface CallBackForm {
  /** The new state of the follow-up. */
  status: 'done' | 'open';
  label: string;
  className: string;
}

/** The form for marking a call, which returns to the same page. */
export function callBackForm(view: View, { id }: CallRow, { status, label, className }: CallBackForm): Html {
  return form(
    view,
    { action: `/calls/${id}/call-back` },
    html`<input type="hidden" name="status" value="${status}" />
      <input type="hidden" name="to" value="${view.address}" />
      <button class="${className}">${label}</button>`,
  );
}
