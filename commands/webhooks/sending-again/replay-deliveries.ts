import { uuidv7 } from 'uuidv7';
import type { ReplayScope } from '../../../db/webhooks/endpoints/endpoint-missed-events.ts';
import { countReplayed, insertReplay } from '../../../db/webhooks/endpoints/endpoint-replay.ts';
import { waitForEventsUnderWay } from '../../../db/webhooks/events/wait-for-events-under-way.ts';
import { insertOutboxMessages } from '../../../db/outbox/insert-messages.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import type { CommandContext } from '../../command-context.ts';
import { recordAudit } from '../../record-audit.ts';
import { requireReceivingEndpoint } from '../require-endpoint.ts';

export type ReplayDeliveries = Omit<ReplayScope, 'until' | 'endedBy'> & {
  /** Exclusive; null: the time of the request. */
  until: Date | null;
};

/**
 * Asks for events to be sent again. The deliveries are made by a workflow, a page at a time; the answer says how many
 * there will be, unless one of them is sent or goes in another way before its turn. Errors: `not_found`, `endpoint_deactivated`.
 */
export async function replayDeliveries(
  em: EntityManager,
  input: ReplayDeliveries,
  context: CommandContext,
): Promise<{ deliveries: number }> {
  const { tenantId, endpointId } = input;
  await requireReceivingEndpoint(em, input);
  // An event that saw the endpoint switched off may not have been committed yet.
  const endedBy = await waitForEventsUnderWay(em, endpointId);
  const scope = { ...input, until: input.until ?? context.now, endedBy };
  const deliveries = await countReplayed(em, scope);
  if (deliveries === 0) return { deliveries };
  const id = uuidv7();
  await insertReplay(em, { ...scope, id });
  await insertOutboxMessages(em, { kind: 'startReplay', replayId: id, clinicId: tenantId, endpointId });
  const details = { deliveries, replayId: id };
  await recordAudit(em, { action: 'endpoint.replayed', tenantId, subjectId: endpointId, details }, context);
  return { deliveries };
}
