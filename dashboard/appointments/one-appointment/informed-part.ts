import { mayUse } from '../../../domain/people/roles.ts';
import { html, type Html } from '../../../pages/html.ts';
import { notice, type Tone } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { EVENT_WORDS } from '../../webhooks/event-words.ts';
import { INFORMED_WORDS } from './informed-words.ts';
import { receiversOf, type Receiver, type Sent } from './reach.ts';
import { whyNot } from './reach-part.ts';

/** Which systems have the latest change, which do not, why, and what to do. Null when nothing was sent. */
export function informed(view: View, sent: readonly Sent[]): Html | null {
  const receivers = receiversOf(sent);
  if (receivers.length === 0) return null;
  const words = INFORMED_WORDS[view.language];
  const number = (value: number) => view.format.number(value);
  const told = receivers.filter(({ turn }) => turn === 'reached').length;
  const tone = toneOf(receivers);
  const title =
    told > 0
      ? words.informed(number(told), number(receivers.length))
      : words[tone === 'idle' ? 'soon' : 'none'];
  return notice(
    tone,
    html`<strong>${title}</strong>
      <ul class="receivers">
        ${receivers.map((receiver) => html`<li>${receiverLine(view, receiver)}</li>`)}
      </ul>
      ${tone === 'bad' && !mayUse(view.session, 'webhooks') && words.askThem}`,
  );
}

function toneOf(receivers: readonly Receiver[]): Tone {
  const turns = new Set(receivers.map(({ turn }) => turn));
  if (turns.has('receiver') || turns.has('clinic')) return 'bad';
  return turns.has('ours') ? 'idle' : 'good';
}

function receiverLine(view: View, receiver: Receiver): Html {
  const { turn, about, name } = receiver;
  if (turn === 'reached') return html`${name} ✓`;
  const words = INFORMED_WORDS[view.language];
  const address = turn === 'clinic' ? `endpoints/${about.endpointId}` : `deliveries/${about.deliveryId}`;
  const doing = turn === 'ours' || mayUse(view.session, 'webhooks') ? words.turns[turnName(receiver)] : '';
  const link = html`<a href="/integrations/${address}">${words.why}</a>`;
  return html`${name}: ${stateOf(view, receiver)} ${doing} ${mayUse(view.session, 'webhooks') && link}`;
}

function turnName({ turn, about }: Receiver) {
  if (turn === 'receiver') return about.status === 'failed' ? turn : 'refused';
  if (turn !== 'clinic') return 'ours';
  return about.isOn ? 'missed' : 'off';
}

function stateOf(view: View, { turn, about }: Receiver): string {
  const { states } = INFORMED_WORDS[view.language];
  const { format, now, language } = view;
  const event = EVENT_WORDS[language].types[about.eventType];
  const why = whyNot(about, view);
  if (turn === 'receiver' && about.status === 'failed') return states.failed(event, why);
  if (turn === 'clinic') return (about.isOn ? states.missed : states.off)(event);
  if (about.status === 'pending') return states.first;
  // An attempt that is due already is shown as now.
  const next = new Date(Math.max((about.nextAttemptAt ?? now).getTime(), now.getTime()));
  return (about.isRefusing ? states.refused : states.again)(why, format.relative(next, now));
}
