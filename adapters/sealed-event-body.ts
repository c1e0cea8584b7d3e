import type { SecretCipher } from './secret-cipher.ts';

/** Encrypts the body of an event that shows what is encrypted elsewhere, such as a caller's number. */
export function sealEventBody(cipher: SecretCipher, eventId: string, body: string): string {
  return cipher.encrypt(body, contextOf(eventId));
}

/**
 * The body of a stored event, as it is signed and sent. A body that was not sealed is a JSON object and begins like one.
 * @throws SecretUnreadableError
 */
export function openEventBody(cipher: SecretCipher, eventId: string, stored: string): string {
  return stored.startsWith('{') ? stored : cipher.decrypt(stored, contextOf(eventId));
}

function contextOf(eventId: string): string {
  return `event:${eventId}`;
}
