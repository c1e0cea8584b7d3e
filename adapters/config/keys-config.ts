import { z } from 'zod';
import { encryptionKeyId } from '../encryption/encryption-key.ts';
import { variable } from './read-config.ts';

const KEY_BYTES = 32;
const FORM = 'must be 32 bytes in base64';

const key = z
  .base64(FORM)
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === KEY_BYTES, FORM);

const keyList = z
  .string()
  .transform((list) => list.split(',').map((part) => part.trim()))
  .pipe(z.array(key))
  .refine(
    (keys) => new Set(keys.map(encryptionKeyId)).size === keys.length,
    'must not list the same key twice',
  );

/**
 * ENCRYPTION_KEY, decoded: the first key encrypts, all decrypt (secret-cipher.ts):
 * docs/operations/rotate-a-key.md#encryption-key
 */
export const encryptionConfig = variable('ENCRYPTION_KEY', keyList);

/**
 * ENCRYPTION_KEY and PHONE_HASH_KEY, for processes that handle phones: docs/operations/rotate-a-key.md#phone-hash-key
 */
export const keysConfig = z
  .object({
    ENCRYPTION_KEY: keyList,
    PHONE_HASH_KEY: key,
    PHONE_HASH_KEY_PREVIOUS: keyList.default([]),
    PHONE_HASH_KEY_NEXT: key.optional(),
  })
  .transform((variables) => ({
    phoneHash: {
      previous: variables.PHONE_HASH_KEY_PREVIOUS,
      current: variables.PHONE_HASH_KEY,
      next: variables.PHONE_HASH_KEY_NEXT,
    },
    encryption: variables.ENCRYPTION_KEY,
  }))
  .superRefine(({ phoneHash: { previous, current, next }, encryption }, context) => {
    const ids = [...previous, current, ...(next ? [next] : [])].map(encryptionKeyId);
    const refuse = (message: string) =>
      context.addIssue({ code: 'custom', path: ['PHONE_HASH_KEY'], message });
    if (encryption.some((each) => ids.includes(encryptionKeyId(each))))
      refuse('must not be the same key as an ENCRYPTION_KEY');
    else if (new Set(ids).size < ids.length)
      refuse('must not be the same key as PHONE_HASH_KEY_PREVIOUS or PHONE_HASH_KEY_NEXT');
  });
