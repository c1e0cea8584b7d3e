import {
  deactivateWhenDue,
  findEndpointHealth,
  skipOpenDeliveries,
} from '../../db/webhooks/endpoints/endpoint-deactivation.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { endpointHealthWorkflowId } from '../../domain/temporal-names.ts';
import type { EndpointStatus } from '../../domain/webhooks/endpoint-status.ts';
import { recordAudit } from '../record-audit.ts';

/** How an endpoint stands; `unknown`: the clinic never had it. */
export type EndpointHealth =
  | { status: 'failing'; deactivateAt: string; dueInMs: number }
  | { status: Exclude<EndpointStatus, 'failing'> | 'unknown' };

/**
 * Switches a failing endpoint off once its time of grace has passed, with the notification and an entry in the
 * audit, and ends its open deliveries as skipped. The row decides, not the caller: one that was corrected stays on, one that is not due says for how long.
 * docs/webhooks.md#when-deliveries-fail
 */
export async function deactivateEndpoint(
  em: EntityManager,
  endpoint: { tenantId: string; endpointId: string },
  now: Date,
): Promise<EndpointHealth> {
  if (await deactivateWhenDue(em, endpoint, now)) {
    await skipOpenDeliveries(em, endpoint);
    const { tenantId, endpointId: subjectId } = endpoint;
    const audited = {
      action: 'endpoint.deactivated',
      tenantId,
      subjectId,
      details: { from: 'failing' },
    } as const;
    const actor = `workflow:${endpointHealthWorkflowId(subjectId)}`;
    await recordAudit(em, audited, { actor, requestId: null, now });
    return { status: 'deactivated' };
  }
  const row = await findEndpointHealth(em, endpoint);
  if (row?.status !== 'failing') return { status: row?.status ?? 'unknown' };
  if (!row.deactivateAt) throw new Error('a failing endpoint has no time of deactivation');
  const { deactivateAt } = row;
  // Between the two questions the time may have come.
  const dueInMs = Math.max(1, deactivateAt.getTime() - now.getTime());
  return { status: 'failing', deactivateAt: deactivateAt.toISOString(), dueInMs };
}
