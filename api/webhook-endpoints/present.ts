import type { EndpointStatistics } from '../../db/webhooks/endpoints/endpoint-statistics.ts';
import type { WebhookEndpointRow } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { deliveryMode } from '../../domain/webhooks/delivery-mode.ts';
import { pauseEnd, shownStatus } from '../../domain/webhooks/endpoint-status.ts';
import { presented } from '../../domain/presented.schema.ts';
import { endpointSchema } from './contract.ts';

/** The secret is included only right after it was created. */
export function presentEndpoint(row: WebhookEndpointRow, now: Date) {
  const status = shownStatus(row, now);
  const delivery = deliveryMode(row);
  return presented(endpointSchema, { ...row, delivery, status, pausedUntil: pauseEnd(row, now) });
}

/** @param asked the requested period, and the maximum number of deliveries that are counted */
export function presentStatistics(
  { statuses, firstCreatedAtMs, attempts, errors, p50Ms: p50, p95Ms: p95 }: EndpointStatistics,
  { hours, since, atMost }: { hours: number; since: Date; atMost: number },
) {
  const { pending = 0, retrying = 0, succeeded = 0, failed = 0, skipped = 0 } = statuses;
  const isComplete = pending + retrying + succeeded + failed + skipped < atMost;
  const countedSince = isComplete || firstCreatedAtMs === null ? since : new Date(firstCreatedAtMs);
  const failedAttempts = Object.values(errors).reduce((sum, count) => sum + count, 0);
  return {
    hours,
    since: countedSince.toISOString(),
    isComplete,
    deliveries: { pending, retrying, succeeded, failed, skipped },
    attempts,
    successRate: attempts === 0 ? null : (attempts - failedAttempts) / attempts,
    durationMs: { p50, p95 },
    errors,
  };
}
