import { insertOutboxMessages } from '../../../db/outbox/insert-messages.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { hastenRetries } from '../../../db/webhooks/deliveries/hasten-deliveries.ts';
import type { OutboxMessage } from '../../../domain/outbox-message.ts';
import type { CommandContext } from '../../command-context.ts';
import { recordAudit } from '../../record-audit.ts';
import { requireReceivingEndpoint, type EndpointOfClinic } from '../require-endpoint.ts';

/** One transaction's share; whoever asks again goes on with the next ones. */
export const MOST_RETRIED_AT_ONCE = 10_000;

/**
 * Brings the next numbered attempt of what waits for an endpoint forward to now, the oldest deliveries first, for a receiver
 * that has recovered. It adds no attempt, and the endpoint's share of attempts under way still holds.
 * Errors: `not_found`, `endpoint_deactivated`.
 */
export async function retryEndpointNow(
  em: EntityManager,
  wanted: EndpointOfClinic,
  context: CommandContext,
): Promise<{ deliveries: number }> {
  const { id, tenantId } = await requireReceivingEndpoint(em, wanted);
  const hastened = await hastenRetries(em, id, context.now, MOST_RETRIED_AT_ONCE);
  await insertOutboxMessages(
    em,
    ...hastened.map(({ workflowId, status: _status, ...delivery }): OutboxMessage => ({
      kind: 'retryDelivery',
      workflowId,
      delivery,
    })),
  );
  const details = { deliveries: hastened.length };
  if (hastened.length === 0) return details;
  await recordAudit(em, { action: 'endpoint.retried', tenantId, subjectId: id, details }, context);
  return details;
}
