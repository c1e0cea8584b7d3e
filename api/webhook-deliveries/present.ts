import type { WebhookAttemptRow } from '../../db/entities/webhook-attempt.entity.ts';
import type { WebhookDeliveryRow } from '../../db/entities/webhook-delivery.entity.ts';

/** @param attempts of this delivery, in the order of their numbers */
export function presentDelivery(row: WebhookDeliveryRow, attempts: readonly WebhookAttemptRow[]) {
  return {
    id: row.id,
    eventId: row.eventId,
    eventType: row.eventType,
    endpointId: row.endpointId,
    status: row.status,
    attemptCount: row.attemptCount,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    resendOf: row.resendOf,
    workflowId: row.workflowId,
    createdAt: row.createdAt.toISOString(),
    attempts: attempts.map(presentAttempt),
  };
}

function presentAttempt(attempt: WebhookAttemptRow) {
  return {
    number: attempt.number,
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    outcome: attempt.outcome,
    errorClass: attempt.errorClass,
    responseStatus: attempt.responseStatus,
    responseExcerpt: attempt.responseExcerpt,
  };
}
