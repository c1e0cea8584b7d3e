import type { WebhookAttemptRow } from '../../../db/entities/webhooks/webhook-attempt.entity.ts';
import { html, type Html } from '../../../pages/html.ts';
import { badge, facts, instant } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { failureOf, remedyOf } from '../failure-words.ts';
import type { ShownDelivery } from './delivery-page.ts';
import { sentHeaders } from './sent-request.ts';
import { DELIVERY_WORDS } from './words.ts';

/** The most characters of a response that are shown: six responses of 16 KiB would be too long for a page. */
const MAX_SHOWN = 1500;

/** Every attempt, latest first: what happened, what to do, request and response. */
export function attemptList(view: View, shown: ShownDelivery): Html {
  const { attempts } = shown.found;
  const { noAttempts } = DELIVERY_WORDS[view.language];
  if (attempts.length === 0) return html`<p class="soft">${noAttempts}</p>`;
  return html`<ol class="timeline">
    ${attempts.toReversed().map((attempt) => html`<li>${shownAttempt(view, attempt, shown)}</li>`)}
  </ol>`;
}

function shownAttempt(view: View, attempt: WebhookAttemptRow, shown: ShownDelivery): Html {
  const { language, format } = view;
  const words = DELIVERY_WORDS[language];
  const { number, startedAt, durationMs, errorClass, tlsFault, url } = attempt;
  const failed = errorClass && { errorClass, tlsFault, responseStatus: attempt.responseStatus };
  const headersOf = (made: WebhookAttemptRow) => sentHeaders(shown.found.delivery, made, shown);
  const headers = headersOf(attempt);
  // An explanation for several attempts is shown once, at the first of them.
  const isLast = (isSame: (other: WebhookAttemptRow) => boolean) =>
    shown.found.attempts.findLast(isSame) === attempt;
  const at = `${format.shortDay(startedAt)}, ${format.timeWithSeconds(startedAt)}`;
  return html`<p>
      <strong>${words.attempt(format.number(number))}</strong> ${outcomeBadge(view, attempt)}
      <span class="under">${instant(startedAt, at)}, ${words.took} ${format.duration(durationMs)}</span>
      ${url !== null && html`<span class="under">${words.sentTo} <code>${url}</code></span>`}
    </p>
    ${
      failed &&
      html`<p>
        <strong>${failureOf(language, failed.errorClass, tlsFault).title}</strong>
        (<code>${tlsFault ?? errorClass}</code>).
        ${isLast((other) => isAlike(other, attempt)) && remedyOf(language, failed)}
      </p>`
    }
    ${shown.mayRead && answer(view, attempt)}
    ${headerList(view, number, { headers, isExplained: isLast((other) => (headersOf(other) === null) === (headers === null)) })}`;
}

function outcomeBadge({ language }: View, { outcome, responseStatus }: WebhookAttemptRow): Html {
  const { answered, unanswered } = DELIVERY_WORDS[language];
  const words = responseStatus === null ? unanswered : answered(responseStatus);
  return badge(outcome === 'succeeded' ? 'good' : 'bad', words);
}

function answer({ language }: View, { responseExcerpt }: WebhookAttemptRow): Html | null {
  if (!responseExcerpt) return null;
  const words = DELIVERY_WORDS[language];
  const cut = responseExcerpt.length > MAX_SHOWN && words.cut;
  return html`<p class="soft">${words.answer}</p>
    <pre tabindex="0"><code>${responseExcerpt.slice(0, MAX_SHOWN)}</code>${cut}</pre>`;
}

/** The headers, collapsed; they stay open when the page refreshes. */
function headerList(
  { language }: View,
  number: number,
  { headers, isExplained }: { headers: Record<string, string> | null; isExplained: boolean },
): Html | null {
  const words = DELIVERY_WORDS[language];
  if (headers === null) return isExplained ? html`<p class="soft">${words.nothingSent}</p>` : null;
  return html`<details id="headers-${number}" hx-preserve>
    <summary>${words.headers}</summary>
    ${isExplained && html`<p class="soft">${words.headersText}</p>`}
    ${facts(Object.entries(headers).map(([name, value]) => [name, html`<code>${value}</code>`]))}
  </details>`;
}

/** Whether two attempts failed in the same way. */
function isAlike(one: WebhookAttemptRow, other: WebhookAttemptRow): boolean {
  return (
    one.errorClass === other.errorClass &&
    one.tlsFault === other.tlsFault &&
    one.responseStatus === other.responseStatus
  );
}
