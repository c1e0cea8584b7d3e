import { WebhookSecretEntity } from '../../db/entities/webhook-secret.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { requireEndpoint, type EndpointOfClinic } from './require-endpoint.ts';
import { switchOffEndpoint } from './change-endpoint-health.ts';

/** Ends an endpoint for good: its history stays, its secrets do not. Errors: `not_found`. */
export async function deleteEndpoint(
  em: EntityManager,
  wanted: EndpointOfClinic,
  context: CommandContext,
): Promise<void> {
  const endpoint = await requireEndpoint(em, wanted);
  const { tenantId, id: endpointId } = endpoint;
  await switchOffEndpoint(em, endpoint, { updatedAt: context.now, deletedAt: context.now });
  await em.nativeDelete(WebhookSecretEntity, { tenantId, endpointId });
  await recordAudit(em, { action: 'endpoint.deleted', tenantId, subjectId: endpointId }, context);
}
