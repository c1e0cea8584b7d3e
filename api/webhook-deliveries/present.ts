import type { AttemptSummary, DeliveryWithAttempts } from '../../db/webhooks/deliveries/list-deliveries.ts';
import type { WebhookDeliveryRow } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import type { Scope } from '../../domain/clinic/api-scopes.ts';
import { mayReadEvent } from '../../domain/webhooks/event-scopes.ts';
import { isBeforeSending } from '../../domain/webhooks/attempt-error.ts';
import { shownHeaders } from '../../domain/webhooks/webhook-headers.ts';
import { presented } from '../../domain/presented.schema.ts';
import { attemptSchema, deliveryFacts } from './contract.ts';
import type { WebhookAttemptRow } from '../../db/entities/webhooks/webhook-attempt.entity.ts';

export function presentDelivery({ delivery, endpointUrl, attempts }: DeliveryWithAttempts) {
  const facts = presented(deliveryFacts, { ...delivery, endpointUrl });
  return { ...facts, attempts: attempts.map(presentAttempt) };
}

/**
 * A delivery with the request and response of each attempt. A response may repeat the event. @param scopes the reader's
 * scopes; null: unrestricted
 */
export function presentDeliveryDetail(
  found: DeliveryWithAttempts<WebhookAttemptRow>,
  scopes: readonly Scope[] | null,
) {
  const mayRead = mayReadEvent(scopes, found.delivery.eventType);
  const attempts = found.attempts.map((attempt) => ({
    ...presentAttempt(attempt),
    requestHeaders: sentHeaders(found.delivery, attempt),
    responseExcerpt: mayRead ? attempt.responseExcerpt : null,
  }));
  return { ...presentDelivery(found), attempts };
}

/** The request headers of an attempt, computed from the delivery, the attempt number and the time. */
function sentHeaders(
  { id: deliveryId, eventId, eventType }: WebhookDeliveryRow,
  { number: attempt, startedAt: signedAt, errorClass }: WebhookAttemptRow,
): Record<string, string> | null {
  if (errorClass && isBeforeSending(errorClass)) return null;
  return shownHeaders({ eventId, eventType, deliveryId, attempt, signedAt });
}

function presentAttempt(attempt: AttemptSummary) {
  return presented(attemptSchema, attempt);
}
