import { RETRY_DELAYS_SECONDS } from '../../../domain/webhooks/retry-schedule.ts';
import type { AttemptSummary } from '../../../db/webhooks/deliveries/list-deliveries.ts';
import type { WebhookDeliveryRow } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import { TEST_EVENT_TYPE } from '../../../domain/webhooks/event-types.ts';
import { html, type Html } from '../../../pages/html.ts';
import { badge, instant, type Tone } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { failureOf } from '../failure-words.ts';
import { DELIVERY_WORDS } from './words.ts';

const TONES: Record<DeliveryStatus, Tone> = {
  pending: 'idle',
  retrying: 'waiting',
  succeeded: 'good',
  failed: 'bad',
  skipped: 'idle',
};

export function deliveryBadge({ status }: Pick<WebhookDeliveryRow, 'status'>, { language }: View): Html {
  return badge(TONES[status], DELIVERY_WORDS[language].states[status]);
}

/** The latest response, such as “503 · The receiver failed” or “200 · 120 ms”; empty before the first attempt. */
export function lastAnswer({ language, format }: View, attempt: AttemptSummary | undefined): Html | null {
  if (!attempt) return null;
  const { errorClass, tlsFault, responseStatus, durationMs } = attempt;
  const how =
    errorClass === null ? format.duration(durationMs) : failureOf(language, errorClass, tlsFault).title;
  const said = [responseStatus, how].filter((part) => part !== null).join(' · ');
  return html`<span class="under">${said}</span>`;
}

/** The attempts made, such as “2 of 6”. */
export function attemptsMade(delivery: WebhookDeliveryRow, { language, format }: View): string {
  const { attemptCount } = delivery;
  return DELIVERY_WORDS[language].of(format.number(attemptCount), format.number(mostOf(delivery)));
}

/** The attempt that a retry uses, such as “This makes attempt 5 of 6”. `confirm` is asked before the last one. */
export function attemptToUse(delivery: WebhookDeliveryRow, { language, format }: View) {
  const words = DELIVERY_WORDS[language];
  const [number, most] = [delivery.attemptCount + 1, mostOf(delivery)];
  return {
    uses: words.uses(format.number(number), format.number(most)),
    ...(number > 1 && number >= most && { confirm: words.lastAttempt }),
  };
}

function mostOf({ eventType }: WebhookDeliveryRow): number {
  return eventType === TEST_EVENT_TYPE ? 1 : RETRY_DELAYS_SECONDS.length + 1;
}

/** An attempt that is due is made within this time. */
const OVERDUE_MS = 5 * 60_000;

/** When the next attempt starts, such as “in 4 minutes”; empty when there is none. */
export function nextAttempt({ nextAttemptAt }: WebhookDeliveryRow, view: View): Html | null {
  const { format, language, now } = view;
  if (!nextAttemptAt) return null;
  const { dueNow, overdue } = DELIVERY_WORDS[language];
  if (now.getTime() - nextAttemptAt.getTime() > OVERDUE_MS)
    return instant(nextAttemptAt, overdue(format.moment(nextAttemptAt, now)));
  return instant(nextAttemptAt, nextAttemptAt <= now ? dueNow : format.relative(nextAttemptAt, now));
}
