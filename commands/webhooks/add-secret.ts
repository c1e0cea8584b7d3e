import { uuidv7 } from 'uuidv7';
import { newWebhookSecret } from '../../adapters/webhooks/webhook-secret.ts';
import { cipherOf } from '../../db/connection/cipher-of.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { WebhookEndpointRow } from '../../db/entities/webhook-endpoint.entity.ts';
import { WebhookSecretEntity } from '../../db/entities/webhook-secret.entity.ts';
import { endpointSecret } from '../../domain/encryption/sealed-places.ts';

/** Gives an endpoint a new secret, which is returned, and stored only encrypted. */
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
