import { mayUse } from '../../../domain/people/roles.ts';
import { html, type Html } from '../../../pages/html.ts';
import { filledIn } from '../../language/language.ts';
import { badge, notice, table, type Tone } from '../../layout/components.ts';
import { placesFor } from '../../layout/navigation.ts';
import type { View } from '../../layout/view.ts';
import { EVENT_WORDS } from '../../webhooks/event-words.ts';
import { failureOf } from '../../webhooks/failure-words.ts';
import type { Reach, Sent } from './reach.ts';
import { REACH_WORDS } from './reach-words.ts';
import { TIMELINE_WORDS } from './timeline-words.ts';

const TONES = { none: 'idle', reached: 'good', ours: 'idle', receiver: 'bad', clinic: 'bad' } as const;

/** One sentence that says whether the appointment was delivered, and otherwise who must act. */
export function reachNotice(view: View, { turn, about }: Reach): Html {
  const words = REACH_WORDS[view.language];
  if (!about) return notice('idle', words.none);
  const { format, now, language } = view;
  // An attempt that is due already is shown as now.
  const next = new Date(Math.max((about.nextAttemptAt ?? now).getTime(), now.getTime()));
  const when = turn === 'reached' ? about.at : next;
  const sentence = filledIn(sentenceFor(turn, about, view), {
    receiver: about.receiver,
    event: EVENT_WORDS[language].types[about.eventType],
    when: format.relative(when, now),
    why: whyNot(about, view),
  });
  const address = turn === 'clinic' ? `endpoints/${about.endpointId}` : `deliveries/${about.deliveryId}`;
  const link = html` <a href="/integrations/${address}"
    >${turn === 'clinic' ? words.endpoint : words.show}</a
  >`;
  const isLinked = turn !== 'reached' && mayUse(view.session, 'webhooks');
  return notice(TONES[turn], html`${sentence}${isLinked && link}`);
}

function sentenceFor(turn: Reach['turn'], about: Sent, { language }: View): string {
  const words = REACH_WORDS[language];
  if (turn === 'reached') return words.reached;
  if (turn === 'receiver') return about.status === 'failed' ? words.failed : words.refused;
  if (turn === 'clinic') return about.isOn ? words.missed : words.off;
  return about.status === 'retrying' ? words.again : words.first;
}

/**
 * Why the attempt failed, such as “the endpoint rejected the event, 401”; in lower case, because it is used within a
 * sentence.
 */
export function whyNot({ errorClass, tlsFault, responseStatus }: Sent, { language }: View): string {
  if (errorClass === null) return REACH_WORDS[language].unknown;
  const { title } = failureOf(language, errorClass, tlsFault);
  const said = title.charAt(0).toLowerCase() + title.slice(1);
  return responseStatus === null ? said : `${said}, ${responseStatus}`;
}

const DELIVERY_TONES: Record<Sent['status'], Tone> = {
  pending: 'idle',
  retrying: 'waiting',
  succeeded: 'good',
  failed: 'bad',
  skipped: 'bad',
};

/** The deliveries and their results. @param more an additional column */
export function sentTable(
  view: View,
  sent: readonly Sent[],
  more: { head: string; cell: (one: Sent) => Html } | null = null,
): Html {
  const { statuses } = REACH_WORDS[view.language];
  const { heads, sentTitle, nothingSent } = TIMELINE_WORDS[view.language];
  const { deliveries } = placesFor(view.session);
  const words = (one: Sent) => EVENT_WORDS[view.language].types[one.eventType];
  return table({
    caption: sentTitle,
    heads: [heads.event, heads.receiver, heads.state, heads.last, ...(more ? [more.head] : [])],
    rows: sent.toReversed().map((one) => ({
      cells: [
        deliveries ? html`<a href="${deliveries}/${one.deliveryId}">${words(one)}</a>` : words(one),
        one.receiver,
        html`${badge(DELIVERY_TONES[one.status], statuses[one.status])}
        ${one.errorClass !== null && one.status !== 'succeeded' && html`<br />${whyNot(one, view)}`}`,
        view.format.dateTime(one.at),
        ...(more ? [more.cell(one)] : []),
      ],
    })),
    empty: nothingSent,
  });
}
