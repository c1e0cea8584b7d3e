import { eventBody } from './sealed-places.ts';
import type { SecretCipher } from './secret-cipher.ts';

interface EventOfClinic {
  tenantId: string;
  id: string;
}

/** Encrypts the body of an event that shows what is encrypted elsewhere, such as a caller's number. */
export function sealEventBody(cipher: SecretCipher, event: EventOfClinic, body: string): string {
  return cipher.encrypt(body, eventBody(event));
}

/**
 * The body of a stored event, as it is signed and sent. A body that was not sealed is a JSON object and begins like one.
 * @throws SecretUnreadableError
 */
export function openEventBody(cipher: SecretCipher, event: EventOfClinic, stored: string): string {
  return stored.startsWith('{') ? stored : cipher.decrypt(stored, eventBody(event));
}
