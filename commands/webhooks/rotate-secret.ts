import { uuidv7 } from 'uuidv7';
import { endSecrets } from '../../db/webhooks/endpoints/endpoint-secrets.ts';
import type { WebhookEndpointRow } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { requireEndpoint, type EndpointOfClinic } from './require-endpoint.ts';
import { newWebhookSecret } from '../../adapters/webhooks/webhook-secret.ts';
import { cipherOf } from '../../db/connection/cipher-of.ts';
import { WebhookSecretEntity } from '../../db/entities/webhooks/webhook-secret.entity.ts';
import { endpointSecret } from '../../domain/encryption/sealed-places.ts';

/**
 * How many old secrets still sign. Each adds a signature to every request, so with frequent rotations the oldest secret
 * expires early.
 */
const MAX_OVERLAPPING = 4;

/** The maximum overlap, which is also the default: docs/webhooks.md#change-the-secret */
export const MAX_OVERLAP_SECONDS = 86_400;

export interface RotateSecret extends EndpointOfClinic {
  /** How long the previous secrets keep signing next to the new one. */
  overlapSeconds: number;
}

/** The new secret is only in the result; it is stored encrypted. Errors: `not_found`. */
export async function rotateSecret(
  em: EntityManager,
  { overlapSeconds, ...wanted }: RotateSecret,
  context: CommandContext,
): Promise<{ endpoint: WebhookEndpointRow; secret: string }> {
  const endpoint = await requireEndpoint(em, wanted);
  await endSecrets(em, endpoint, { afterSeconds: overlapSeconds, keep: MAX_OVERLAPPING });
  endpoint.updatedAt = context.now;
  const { tenantId, id: subjectId } = endpoint;
  const audited = { tenantId, subjectId, details: { overlapSeconds } };
  await recordAudit(em, { action: 'endpoint.secret_rotated', ...audited }, context);
  return { endpoint, secret: await addSecret(em, endpoint, context.now) };
}

/** Creates a new secret of an endpoint, and returns it; it is stored encrypted. */
export async function addSecret(
  em: EntityManager,
  { tenantId, id: endpointId }: WebhookEndpointRow,
  createdAt: Date,
): Promise<string> {
  const secret = newWebhookSecret();
  const cipher = await cipherOf(em, tenantId);
  const ciphertext = cipher.encrypt(secret, endpointSecret(tenantId, endpointId));
  em.create(WebhookSecretEntity, { id: uuidv7(), tenantId, endpointId, ciphertext, createdAt });
  await em.flush();
  return secret;
}
