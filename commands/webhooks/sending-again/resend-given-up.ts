import { findLastDoing } from '../../../db/audit/last-doing.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { receivesEvents } from '../../../domain/webhooks/endpoint-status.ts';
import type { CommandContext } from '../../command-context.ts';
import { replayDeliveries } from './replay-deliveries.ts';
import { lockEndpoint } from '../require-endpoint.ts';

export interface ResendGivenUp {
  tenantId: string;
  endpointId: string;
  since: Date;
  /** When the page was made that showed what was given up; exclusive. */
  until: Date;
  /** The newest entry of the audit then. */
  seen: string;
}

/**
 * Sends again what never reached an endpoint, as somebody saw it on a page, and returns how many deliveries that makes. Whoever asks
 * a second time from the same page is told what the first one has made; an endpoint that is off by now gets nothing.
 */
export async function resendGivenUp(
  em: EntityManager,
  { tenantId, endpointId, since, until, seen }: ResendGivenUp,
  context: CommandContext,
): Promise<number> {
  const endpoint = await lockEndpoint(em, { tenantId, endpointId });
  if (!endpoint || !receivesEvents(endpoint.status)) return 0;
  const last = await findLastDoing(em, { tenantId, subjectId: endpointId, action: 'endpoint.replayed' });
  if (last && last.id > seen) return Number(last.details['deliveries'] ?? 0);
  const scope = { tenantId, endpointId, since, until, include: 'missing' } as const;
  return (await replayDeliveries(em, scope, context)).deliveries;
}
