import { uuidv7 } from 'uuidv7';
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../db/entities/webhook-endpoint.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { lockTenant } from '../clinic/lock-tenant.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { refuseTwinEndpoint } from './refuse-twin-endpoint.ts';
import { requireKeysOfClinic } from './require-keys-of-clinic.ts';
import { addSecret } from './add-secret.ts';

/** docs/limits.md#counts */
const ENDPOINTS_PER_CLINIC = 10;

export interface NewEndpoint {
  /** A new one unless told. */
  id?: string;
  tenantId: string;
  /** As the URL check accepted it; checking needs DNS, so it is done before the transaction. */
  url: string;
  /** Subscription patterns. */
  events: readonly string[];
  description: string | null;
  /** API keys whose doings it is not told of. */
  ignoreActors?: readonly string[];
}

/** The secret is in the answer and is stored only encrypted. Errors: `not_found`, `endpoint_limit_reached`, `endpoint_exists`, `validation_failed`. */
export async function createEndpoint(
  em: EntityManager,
  input: NewEndpoint,
  context: CommandContext,
): Promise<{ endpoint: WebhookEndpointRow; secret: string }> {
  const { events, ignoreActors = [], ...fields } = input;
  // Two requests at once cannot both take the last place, or both be the first.
  await lockTenant(em, input.tenantId);
  await refuseOverLimit(em, input.tenantId);
  await requireKeysOfClinic(em, input.tenantId, ignoreActors);
  await refuseTwinEndpoint(em, { ...fields, id: null, events: [...events] });
  const times = { createdAt: context.now, updatedAt: context.now };
  const endpoint = em.create(WebhookEndpointEntity, {
    id: uuidv7(),
    ...fields,
    ...times,
    events: [...events],
    ignoreActors: [...ignoreActors],
  });
  await em.flush();
  const { tenantId, id: subjectId } = endpoint;
  await recordAudit(em, { action: 'endpoint.created', tenantId, subjectId, details: { events } }, context);
  return { endpoint, secret: await addSecret(em, endpoint, context.now) };
}

async function refuseOverLimit(em: EntityManager, tenantId: string): Promise<void> {
  const endpoints = await em.count(WebhookEndpointEntity, { tenantId, deletedAt: null });
  if (endpoints < ENDPOINTS_PER_CLINIC) return;
  throw new ServiceError(
    'endpoint_limit_reached',
    `A clinic may have ${ENDPOINTS_PER_CLINIC} endpoints; delete one first.`,
  );
}
