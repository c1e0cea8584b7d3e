import type { WebhookDeliveryRow } from '../../../db/entities/webhook-delivery.entity.ts';
import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import { TEST_EVENT_TYPE } from '../../../domain/webhooks/event-types.ts';
import type { Timings } from '../../../domain/timings.ts';
import type { Html } from '../../../pages/html.ts';
import { badge, instant, type Tone } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { DELIVERY_WORDS } from './words.ts';

const TONES: Record<DeliveryStatus, Tone> = {
  pending: 'waiting',
  retrying: 'waiting',
  succeeded: 'good',
  failed: 'bad',
  skipped: 'idle',
};

export function deliveryBadge({ status }: WebhookDeliveryRow, { language }: View): Html {
  return badge(TONES[status], DELIVERY_WORDS[language].states[status]);
}

/** 2 of 6 */
export function attemptsMade(
  { attemptCount, eventType }: WebhookDeliveryRow,
  { language, format }: View,
  { retryDelaysSeconds }: Timings,
): string {
  const most = eventType === TEST_EVENT_TYPE ? 1 : retryDelaysSeconds.length + 1;
  return DELIVERY_WORDS[language].of(format.number(attemptCount), format.number(most));
}

/** In 4 minutes; nothing when there is none to come. */
export function nextAttempt({ nextAttemptAt }: WebhookDeliveryRow, view: View): Html | null {
  const { format, language, now } = view;
  if (!nextAttemptAt) return null;
  const { dueNow } = DELIVERY_WORDS[language];
  return instant(nextAttemptAt, nextAttemptAt <= now ? dueNow : format.relative(nextAttemptAt, now));
}
