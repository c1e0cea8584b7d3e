import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

const FORMAT = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts what must be read again: webhook secrets, call numbers, stored answers. */
export interface SecretCipher {
  /** @param context what the text belongs to, such as an endpoint's id: the result opens for nothing else */
  encrypt(plaintext: string, context: string): string;
  /** @throws SecretUnreadableError */
  decrypt(encrypted: string, context: string): string;
}

/** The stored text was made with another key, for another row, or was changed. Its message holds none of it. */
export class SecretUnreadableError extends Error {
  override readonly name = 'SecretUnreadableError';
}

/**
 * AES-256-GCM; a stored text reads `v1.<key id>.<nonce>.<ciphertext and tag>`, in base64url.
 * @param keyBytes ENCRYPTION_KEY, 32 bytes
 */
export function createSecretCipher(keyBytes: Uint8Array): SecretCipher {
  if (keyBytes.length !== 32) throw new RangeError('The encryption key must have 32 bytes');
  // Bytes would be looked at anew for each text, which takes Node four times as long as the cipher.
  const key = createSecretKey(keyBytes);
  const header = `${FORMAT}.${keyIdOf(key)}`;
  return {
    encrypt: (plaintext, context) => `${header}.${seal(key, plaintext, `${header}.${context}`)}`,
    decrypt: (encrypted, context) => {
      const [format, keyId, nonce = '', sealed = ''] = encrypted.split('.');
      if (`${format}.${keyId}` !== header)
        throw new SecretUnreadableError('Encrypted under another ENCRYPTION_KEY');
      return open(key, { nonce, sealed, associated: `${header}.${context}` });
    },
  };
}

/** Names a key without telling anything about it. */
function keyIdOf(key: KeyObject): string {
  return createHmac('sha256', key).update('key id').digest('hex').slice(0, 8);
}

function seal(key: KeyObject, plaintext: string, associated: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(associated));
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
}

function open(key: KeyObject, parts: { nonce: string; sealed: string; associated: string }): string {
  const sealed = Buffer.from(parts.sealed, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(parts.nonce, 'base64url'), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(parts.associated));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]).toString(
      'utf8',
    );
  } catch (error) {
    throw new SecretUnreadableError('Changed, or encrypted for something else', { cause: error });
  }
}
