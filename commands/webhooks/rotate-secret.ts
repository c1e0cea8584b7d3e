import { uuidv7 } from 'uuidv7';
import type { SecretCipher } from '../../adapters/secret-cipher.ts';
import { newWebhookSecret } from '../../adapters/webhooks/webhook-secret.ts';
import { endSecrets } from '../../db/webhooks/end-secrets.ts';
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../db/entities/webhook-endpoint.entity.ts';
import { WebhookSecretEntity } from '../../db/entities/webhook-secret.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CommandContext } from '../command-context.ts';
import { requireEndpoint, type EndpointOfClinic } from './require-endpoint.ts';

/** Each valid secret is another signature in every header, so clinics that rotate often lose the oldest at once. */
const MOST_OVERLAPPING = 4;

export interface RotateSecret extends EndpointOfClinic {
  /** How long the secrets that were valid until now go on signing beside the new one. */
  overlapSeconds: number;
  cipher: SecretCipher;
}

/** The new secret is in the answer and is stored only encrypted. Errors: `not_found`. */
export async function rotateSecret(
  em: EntityManager,
  { overlapSeconds, cipher, ...wanted }: RotateSecret,
  context: CommandContext,
): Promise<{ endpoint: WebhookEndpointRow; secret: string }> {
  const { id, tenantId } = await requireEndpoint(em, wanted);
  await endSecrets(
    em,
    { tenantId, endpointId: id },
    { afterSeconds: overlapSeconds, keep: MOST_OVERLAPPING },
  );
  const secret = newWebhookSecret();
  const ciphertext = cipher.encrypt(secret, id);
  await em.insert(WebhookSecretEntity, {
    id: uuidv7(),
    tenantId,
    endpointId: id,
    ciphertext,
    createdAt: context.now,
  });
  await em.nativeUpdate(WebhookEndpointEntity, { tenantId, id }, { updatedAt: context.now });
  return {
    endpoint: await em.findOneOrFail(WebhookEndpointEntity, { tenantId, id }, { refresh: true }),
    secret,
  };
}
