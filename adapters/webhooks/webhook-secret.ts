import { randomBytes } from 'node:crypto';
import { WEBHOOK_SECRET_PREFIX } from '../../domain/webhooks/webhook-headers.ts';

/** The length of a secret: 256 bits, as long as the digest. Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** A new endpoint secret. It is shown to the clinic once and stored encrypted. */
export function newWebhookSecret(): string {
  return WEBHOOK_SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}
