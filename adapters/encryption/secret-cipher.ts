import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';
import { createEncryptionKey, type EncryptionKey, type SealedFormat } from './encryption-key.ts';
import type { SealedPlace } from '../../domain/encryption/sealed-places.ts';
import { SecretUnreadableError, type TextCipher } from '../../domain/encryption/text-cipher.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Reversible encryption. */
export interface SecretCipher extends TextCipher {
  /** The prefix of texts encrypted with the first key; texts with another prefix need re-encryption. */
  readonly header: string;
  /** The ids of the keys, in the same order. */
  readonly keyIds: readonly string[];
}

/**
 * AES-256-GCM; the stored form is `<format>.<key id>.<nonce>.<ciphertext and tag>`, in base64url.
 * @param keys the list ENCRYPTION_KEY, 32 bytes each: the first encrypts, all decrypt
 */
export function createSecretCipher(keys: readonly Uint8Array[], format: SealedFormat = 'v2'): SecretCipher {
  const known = keys.map(createEncryptionKey);
  const [first] = known;
  if (!first) throw new RangeError('An encryption key is required');
  const header = `${format}.${first.id}`;
  return {
    header,
    keyIds: known.map(({ id }) => id),
    encrypt: (plaintext, place) => {
      return `${header}.${seal(first.keyFor(format, place), plaintext, associatedData(header, place))}`;
    },
    decrypt: (encrypted, place) => {
      const { keyId, nonce, sealed } = partsOf(encrypted, format);
      const key = keyNamed(known, keyId).keyFor(format, place);
      return open(key, { nonce, sealed, associated: associatedData(`${format}.${keyId}`, place) });
    },
  };
}

function partsOf(encrypted: string, format: SealedFormat) {
  const [name, keyId = '', nonce = '', sealed = '', ...rest] = encrypted.split('.');
  if (name !== format || rest.length > 0)
    throw new SecretUnreadableError('The encrypted value has a format that this version cannot read');
  return { keyId, nonce: bytesOf(nonce), sealed: bytesOf(sealed) };
}

/** Only canonical base64url is accepted, so that every change is detected. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw changed();
  return bytes;
}

function keyNamed(keys: readonly EncryptionKey[], keyId: string): EncryptionKey {
  const key = keys.find(({ id }) => id === keyId);
  if (key) return key;
  const named = /^[0-9a-f]{8}$/.test(keyId) ? `the key ${keyId}` : 'a key';
  throw new SecretUnreadableError(`The value was encrypted with ${named}, which is not in ENCRYPTION_KEY`);
}

function associatedData(header: string, place: SealedPlace): Buffer {
  return Buffer.from(`${header}.${place.context}`);
}

function seal(key: KeyObject, plaintext: string, associated: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associated);
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
}

function open(key: KeyObject, parts: { nonce: Buffer; sealed: Buffer; associated: Buffer }): string {
  const { nonce, sealed, associated } = parts;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(associated);
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const opened = decipher.update(sealed.subarray(0, -TAG_BYTES));
    // GCM returns no more bytes here; this only checks the tag.
    decipher.final();
    return opened.toString('utf8');
  } catch (error) {
    throw changed(error);
  }
}

function changed(cause?: unknown): SecretUnreadableError {
  return new SecretUnreadableError('The encrypted value was changed, or belongs to another column or row', {
    cause,
  });
}
