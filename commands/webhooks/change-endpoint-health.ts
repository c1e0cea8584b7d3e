import type { WebhookEndpointRow } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { requireEndpoint, type EndpointOfClinic } from './require-endpoint.ts';
import { WebhookSecretEntity } from '../../db/entities/webhooks/webhook-secret.entity.ts';
import { deactivateWhenDue, findEndpointHealth } from '../../db/webhooks/endpoints/endpoint-deactivation.ts';
import { skipOpenDeliveries } from '../../db/webhooks/endpoints/skip-deliveries.ts';
import { insertOutboxMessages } from '../../db/outbox/insert-messages.ts';
import { announceEndpoint, healthContext } from './announce-endpoint.ts';
import { shownStatus, type EndpointStatus } from '../../domain/webhooks/endpoint-status.ts';
import { endPauseAt } from './pause-endpoint.ts';

/** Enables an endpoint, whatever stopped it, and ends a pause. Errors: `not_found`. */
export async function enableEndpoint(em: EntityManager, wanted: EndpointOfClinic, context: CommandContext) {
  const endpoint = await requireEndpoint(em, wanted);
  const { tenantId, id: subjectId } = endpoint;
  const from = shownStatus(endpoint, context.now);
  if (from === 'active') return endpoint;
  if (from === 'paused') await endPauseAt(em, endpoint, null, context.now);
  await correctEndpoint(em, endpoint, context);
  await recordAudit(em, { action: 'endpoint.enabled', tenantId, subjectId, details: { from } }, context);
  return endpoint;
}

/** Deletes an endpoint and its secrets. Its past deliveries are kept. Errors: `not_found`. */
export async function deleteEndpoint(em: EntityManager, wanted: EndpointOfClinic, context: CommandContext) {
  const endpoint = await requireEndpoint(em, wanted);
  const { tenantId, id: endpointId } = endpoint;
  await switchOffEndpoint(em, endpoint, { updatedAt: context.now, deletedAt: context.now });
  await em.nativeDelete(WebhookSecretEntity, { tenantId, endpointId });
  await recordAudit(em, { action: 'endpoint.deleted', tenantId, subjectId: endpointId }, context);
}

/**
 * Makes an endpoint active when it is enabled or gets a new URL, and signals its workflow; a success does the same
 * where it is recorded (`record-attempts.ts`). Failures of earlier attempts no longer count.
 * @param endpoint locked by this transaction
 */
export async function correctEndpoint(
  em: EntityManager,
  endpoint: WebhookEndpointRow,
  context: CommandContext,
): Promise<void> {
  const { status: before } = endpoint;
  const { now } = context;
  await changeHealth(em, endpoint, { status: 'active', correctedAt: now, updatedAt: now });
  if (before !== 'failing' && before !== 'deactivated') return;
  await announceEndpoint(em, 'endpoint.recovered', endpoint, context);
}

/**
 * Disables an endpoint for the clinic: open deliveries are skipped, a failing endpoint is no longer watched, and a pause
 * ends. @param endpoint locked by this transaction
 */
export async function switchOffEndpoint(
  em: EntityManager,
  endpoint: WebhookEndpointRow,
  changes: { updatedAt: Date; deletedAt?: Date },
): Promise<void> {
  await changeHealth(em, endpoint, { ...changes, status: 'disabled', pausedUntil: null });
  await skipOpenDeliveries(em, { tenantId: endpoint.tenantId, endpointId: endpoint.id });
}

/** Changes the status, and ends the period of failing if there is one. @param endpoint locked by this transaction */
async function changeHealth(
  em: EntityManager,
  endpoint: WebhookEndpointRow,
  changes: Pick<WebhookEndpointRow, 'updatedAt'> & {
    status: 'active' | 'disabled';
    correctedAt?: Date;
    deletedAt?: Date;
    pausedUntil?: null;
  },
): Promise<void> {
  const wasFailing = endpoint.status === 'failing';
  em.assign(endpoint, { ...changes, failingSince: null, deactivateAt: null });
  await em.flush();
  if (!wasFailing) return;
  const { id: endpointId, tenantId: clinicId } = endpoint;
  await insertOutboxMessages(em, { kind: 'endpointCorrected', endpointId, clinicId });
}

/**
 * The state of an endpoint. `unread`: a pull endpoint that is failing, which is never disabled for it; `unknown`: the
 * clinic never had it.
 */
export type EndpointHealth =
  | { status: 'failing'; deactivateAt: string; dueInMs: number }
  | { status: Exclude<EndpointStatus, 'failing'> | 'unread' | 'unknown' };

/**
 * Disables a failing endpoint after its grace period, with a notification and an audit entry, and skips its open
 * deliveries. The row decides: an endpoint that has recovered stays active, and if the deactivation is not due yet, the
 * remaining time is returned. docs/webhooks.md#when-deliveries-fail
 */
export async function deactivateEndpoint(
  em: EntityManager,
  endpoint: { tenantId: string; endpointId: string },
  now: Date,
): Promise<EndpointHealth> {
  const deactivated = await deactivateWhenDue(em, endpoint, now);
  if (deactivated) {
    await skipOpenDeliveries(em, endpoint);
    const { tenantId, endpointId: subjectId } = endpoint;
    const audited = {
      action: 'endpoint.deactivated',
      tenantId,
      subjectId,
      details: { from: 'failing' },
    } as const;
    const context = healthContext(subjectId, now);
    await recordAudit(em, audited, context);
    await announceEndpoint(em, 'endpoint.deactivated', deactivated, context);
    return { status: 'deactivated' };
  }
  const row = await findEndpointHealth(em, endpoint);
  if (row?.status !== 'failing') return { status: row?.status ?? 'unknown' };
  const { deactivateAt } = row;
  if (!deactivateAt) return { status: 'unread' };
  // It may have become due between the two queries.
  const dueInMs = Math.max(1, deactivateAt.getTime() - now.getTime());
  return { status: 'failing', deactivateAt: deactivateAt.toISOString(), dueInMs };
}
