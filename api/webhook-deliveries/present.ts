import type { AttemptSummary, DeliveryWithAttempts } from '../../db/webhooks/deliveries-with-attempts.ts';
import type { WebhookAttemptRow } from '../../db/entities/webhook-attempt.entity.ts';

export function presentDelivery({ delivery, endpointUrl, attempts }: DeliveryWithAttempts) {
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    endpointId: delivery.endpointId,
    endpointUrl,
    appointmentId: delivery.appointmentId,
    status: delivery.status,
    attemptCount: delivery.attemptCount,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    resendOf: delivery.resendOf,
    workflowId: delivery.workflowId,
    createdAt: delivery.createdAt.toISOString(),
    attempts: attempts.map(presentAttempt),
  };
}

/** With what the receiver answered to each attempt. */
export function presentDeliveryDetail(found: DeliveryWithAttempts<WebhookAttemptRow>) {
  const attempts = found.attempts.map((attempt) => ({
    ...presentAttempt(attempt),
    responseExcerpt: attempt.responseExcerpt,
  }));
  return { ...presentDelivery(found), attempts };
}

function presentAttempt(attempt: AttemptSummary) {
  return {
    number: attempt.number,
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    outcome: attempt.outcome,
    errorClass: attempt.errorClass,
    responseStatus: attempt.responseStatus,
  };
}
