import type { WebhookEndpointRow } from '../../db/entities/webhook-endpoint.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { correctEndpoint } from './change-endpoint-health.ts';
import { requireEndpoint, type EndpointOfClinic } from './require-endpoint.ts';

/** Brings an endpoint back from whatever stopped it; later events are sent again. Errors: `not_found`. */
export async function enableEndpoint(
  em: EntityManager,
  wanted: EndpointOfClinic,
  context: CommandContext,
): Promise<WebhookEndpointRow> {
  const endpoint = await requireEndpoint(em, wanted);
  const { tenantId, id: subjectId, status: from } = endpoint;
  if (from === 'active') return endpoint;
  await correctEndpoint(em, endpoint, context.now);
  await recordAudit(em, { action: 'endpoint.enabled', tenantId, subjectId, details: { from } }, context);
  return endpoint;
}
