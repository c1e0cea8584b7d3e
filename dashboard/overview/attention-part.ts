import type { UnacknowledgedEntry } from '../../db/appointments/lists/unacknowledged.ts';
import type { WebhookEndpointRow } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import type { AnswersById } from '../../db/webhooks/endpoints/endpoint-answers.ts';
import { mayUse } from '../../domain/people/roles.ts';
import type { EndpointAnswers } from '../../domain/webhooks/endpoint-answers.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { UNACKNOWLEDGED, unacknowledgedTable } from '../appointments/unacknowledged/unacknowledged-page.ts';
import { UNACKNOWLEDGED_WORDS } from '../appointments/unacknowledged/words.ts';
import { callTable, MAX_TO_RETURN, TO_RETURN, type CallRows } from '../calls/call-list-page.ts';
import { notice, type Tone } from '../layout/components.ts';
import { upTo, type View } from '../layout/view.ts';
import { ALL_CHOSEN } from '../webhooks/deliveries/delivery-choice.ts';
import { DELIVERIES } from '../webhooks/deliveries/delivery-narrowing.ts';
import { aboutEndpoint, endpointName, standingOf } from '../webhooks/endpoints/endpoint-state.ts';
import { OVERVIEW_WORDS } from './words.ts';

export interface Attention {
  /** Some calls to return, latest first. */
  calls: CallRows;
  /** The number of calls to return, counted up to `MAX_TO_RETURN`. */
  toReturn: number;
  /** Some appointments that are not in the practice software, by start. */
  unacknowledged: readonly UnacknowledgedEntry[];
  /** Their number, up to `MAX_UNACKNOWLEDGED`. */
  unacknowledgedCount: number;
  /** All endpoints of the clinic. */
  endpoints: readonly WebhookEndpointRow[];
  answers: AnswersById;
  /** Deliveries that wait for a retry, by endpoint; counted up to `MAX_WAITING`. */
  waiting: ReadonlyMap<string, number>;
  /** Deliveries of the last day that failed or were skipped. */
  undelivered: number;
}

export const MAX_WAITING = 1000;
export const MAX_UNACKNOWLEDGED = 100;

/** Appointments missing elsewhere, calls to return; and, for people who can fix them, integrations with problems. */
export function attentionPart(view: View, attention: Attention): { isQuiet: boolean; part: Html } {
  const words = OVERVIEW_WORDS[view.language];
  const ill = mayUse(view.session, 'webhooks') ? integrations(view, attention) : [];
  const { toReturn, unacknowledgedCount } = attention;
  const isQuiet = ill.length === 0 && toReturn === 0 && unacknowledgedCount === 0;
  const part = html`<h2>${words.attention}</h2>
    ${isQuiet && html`<p class="soft">${words.nothing}</p>`} ${ill} ${missing(view, attention)}
    ${callBacks(view, attention)}`;
  return { isQuiet, part };
}

function missing(view: View, { unacknowledged, unacknowledgedCount: count }: Attention): Html | null {
  if (count === 0) return null;
  const { title, all } = UNACKNOWLEDGED_WORDS[view.language];
  return html`<h3>${title} (${upTo(view, count, MAX_UNACKNOWLEDGED)})</h3>
    ${unacknowledgedTable(view, unacknowledged)}
    ${
      count > unacknowledged.length &&
      html`<p class="next"><a id="unacknowledged" href="${UNACKNOWLEDGED}">${all}</a></p>`
    }`;
}

function callBacks(view: View, { calls, toReturn }: Attention): Html | null {
  if (toReturn === 0) return null;
  const words = OVERVIEW_WORDS[view.language];
  return html`<h3>${words.toReturn(upTo(view, toReturn, MAX_TO_RETURN))}</h3>
    ${callTable(view, calls)}
    ${
      toReturn > calls.calls.length &&
      html`<p class="next"><a id="to-return" href="${TO_RETURN}">${words.allToReturn}</a></p>`
    }`;
}

function integrations(view: View, { endpoints, answers, waiting, undelivered }: Attention): Html[] {
  const words = OVERVIEW_WORDS[view.language];
  const troubled = endpoints.flatMap((endpoint) => {
    const { id } = endpoint;
    const trouble = troubleOf(view, endpoint, { answers: answers.get(id), waiting: waiting.get(id) ?? 0 });
    return trouble ? [endpointNotice(view, endpoint, trouble)] : [];
  });
  if (undelivered === 0) return troubled;
  const text = words.undelivered(view.format.number(undelivered));
  const query = new URLSearchParams({ status: 'failed', [ALL_CHOSEN]: 'all' });
  const link = html`<a href="${DELIVERIES}?${query.toString()}">${words.showUndelivered}</a>`;
  return [...troubled, notice('bad', html`${text} ${link}`)];
}

interface Trouble {
  tone: Tone;
  text: string;
}

/** What is wrong with an endpoint that receives nothing or has retries. */
function troubleOf(
  view: View,
  endpoint: WebhookEndpointRow,
  { answers, waiting }: { answers: EndpointAnswers | undefined; waiting: number },
): Trouble | null {
  const text = aboutEndpoint(endpoint, answers, view);
  const status = standingOf(endpoint, answers, view);
  if (status === 'paused') return { tone: 'waiting', text };
  if (status === 'disabled' || (status === 'active' && waiting === 0)) return null;
  if (status !== 'active') return { tone: 'bad', text };
  const { heldUp } = OVERVIEW_WORDS[view.language];
  return { tone: 'waiting', text: `${heldUp(upTo(view, waiting, MAX_WAITING))} ${text}` };
}

function endpointNotice(view: View, endpoint: WebhookEndpointRow, { tone, text }: Trouble): Html {
  const { showEndpoint } = OVERVIEW_WORDS[view.language];
  const said: Part = html`<strong>${endpointName(endpoint)}</strong>: ${text}
    <a href="/integrations/endpoints/${endpoint.id}">${showEndpoint}</a>`;
  return notice(tone, said);
}
