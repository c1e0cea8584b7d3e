import type { EntityManager } from '../../db/connection/open-database.ts';
import type { WebhookEndpointRow } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { insertOutboxMessages } from '../../db/outbox/insert-messages.ts';
import { wakeDueRetries } from '../../db/webhooks/deliveries/hasten-deliveries.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { deliveryMode } from '../../domain/webhooks/delivery-mode.ts';
import { pauseEnd } from '../../domain/webhooks/endpoint-status.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { requireEndpoint, requireReceiving, type EndpointOfClinic } from './require-endpoint.ts';

/** docs/webhooks.md#pause-an-endpoint */
export const MAX_PAUSE_HOURS = 168;
export const DEFAULT_PAUSE_HOURS = 24;
const HOUR_MS = 3_600_000;

/**
 * Makes no attempts to the endpoint for some hours. A second pause replaces the end of the first. Errors: `not_found`,
 * `validation_failed` (a pull endpoint), `endpoint_deactivated`, `clinic_inactive`.
 */
export async function pauseEndpoint(
  em: EntityManager,
  { hours, ...wanted }: EndpointOfClinic & { hours: number },
  context: CommandContext,
): Promise<WebhookEndpointRow> {
  const endpoint = await requireEndpoint(em, wanted);
  if (deliveryMode(endpoint) === 'pull')
    throw new ServiceError(
      'validation_failed',
      'A pull endpoint has no pause: stop reading its queue instead.',
    );
  await requireReceiving(em, endpoint);
  const until = new Date(context.now.getTime() + hours * HOUR_MS);
  await endPauseAt(em, endpoint, until, context.now);
  const { tenantId, id: subjectId } = endpoint;
  const details = { until: until.toISOString() };
  await recordAudit(em, { action: 'endpoint.paused', tenantId, subjectId, details }, context);
  return endpoint;
}

/** Ends a pause; without one it changes nothing. Errors: `not_found`. */
export async function resumeEndpoint(em: EntityManager, wanted: EndpointOfClinic, context: CommandContext) {
  const endpoint = await requireEndpoint(em, wanted);
  if (!pauseEnd(endpoint, context.now)) return endpoint;
  await endPauseAt(em, endpoint, null, context.now);
  const { tenantId, id: subjectId } = endpoint;
  await recordAudit(em, { action: 'endpoint.resumed', tenantId, subjectId }, context);
  return endpoint;
}

/**
 * Changes when a pause ends, null for now, and moves the deactivation of a failing endpoint by as much: its countdown
 * stands still meanwhile. What waits for an end that was later is told. @param endpoint locked by this transaction
 */
export async function endPauseAt(
  em: EntityManager,
  endpoint: WebhookEndpointRow,
  pausedUntil: Date | null,
  now: Date,
): Promise<void> {
  const before = pauseEnd(endpoint, now) ?? now;
  const laterByMs = (pausedUntil ?? now).getTime() - before.getTime();
  const deactivateAt = endpoint.deactivateAt && new Date(endpoint.deactivateAt.getTime() + laterByMs);
  em.assign(endpoint, { pausedUntil, deactivateAt, updatedAt: now });
  await em.flush();
  const { id: endpointId, tenantId } = endpoint;
  if (laterByMs >= 0) return;
  await wakeDueRetries(em, { tenantId, endpointId });
  if (endpoint.status !== 'failing' || !deactivateAt) return;
  const failing = { endpointId, clinicId: tenantId, deactivateAt: deactivateAt.toISOString() };
  await insertOutboxMessages(em, { kind: 'endpointFailing', ...failing });
}
