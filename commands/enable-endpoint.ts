import { WebhookEndpointEntity, type WebhookEndpointRow } from '../db/entities/webhook-endpoint.entity.ts';
import type { Sql } from '../db/open-database.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { CommandContext } from './command-context.ts';

/** Brings an endpoint back from whatever stopped it; later events are sent again. Errors: `not_found`. */
export async function enableEndpoint(
  tx: Sql,
  input: { endpointId: string },
  context: CommandContext,
): Promise<WebhookEndpointRow> {
  const id = input.endpointId;
  const found = await tx.nativeUpdate(
    WebhookEndpointEntity,
    { id, deletedAt: null },
    { status: 'active', failingSince: null, deactivateAt: null, updatedAt: context.now },
  );
  if (found === 0) throw new ServiceError('not_found', `There is no endpoint with the id ${id}.`);
  return tx.findOneOrFail(WebhookEndpointEntity, { id });
}
