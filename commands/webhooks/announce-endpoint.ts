import type { EntityManager } from '../../db/connection/open-database.ts';
import type { ChangedEndpoint } from '../../db/webhooks/endpoints/endpoint-verdicts.ts';
import { endpointHealthWorkflowId } from '../../domain/temporal-names.ts';
import type { EventType } from '../../domain/webhooks/event-types.ts';
import type { CommandContext } from '../command-context.ts';
import { requireTenant } from '../clinic/lock-tenant.ts';
import { recordEvent } from './record-event.ts';

type EndpointEvent = Extract<EventType, `endpoint.${string}`>;

/** Tells the clinic's other endpoints how one of them stands: docs/events.md#endpoints */
export async function announceEndpoint(
  em: EntityManager,
  type: EndpointEvent,
  endpoint: ChangedEndpoint,
  context: CommandContext,
): Promise<void> {
  const { id, tenantId, url, description, failingSince, deactivateAt } = endpoint;
  const tenant = await requireTenant(em, tenantId);
  const facts = { id, url: url && withoutQuery(url), description };
  const data = type === 'endpoint.failing' ? { ...facts, failingSince, deactivateAt } : facts;
  await recordEvent(em, { tenant, type, data: { endpoint: data }, exceptEndpointId: id }, context);
}

/** As the endpoint's workflow or an attempt at it finds out. */
export function healthContext(endpointId: string, now: Date): CommandContext {
  return { actor: `workflow:${endpointHealthWorkflowId(endpointId)}`, requestId: null, now };
}

/** The URL without its query, which may contain a token. */
function withoutQuery(url: string): string {
  return url.split('?')[0] ?? url;
}
