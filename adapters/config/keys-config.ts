import { z } from 'zod';
import { encryptionKeyId, SEALED_FORMATS } from '../encryption/encryption-key.ts';

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
  .refine((keys) => new Set(keys.map(encryptionKeyId)).size === keys.length, 'must not list a key twice');

const encryptionVariables = z.object({
  ENCRYPTION_KEY: keyList,
  ENCRYPTION_FORMAT: z.enum(SEALED_FORMATS, 'must be v1, v2 or v3').default('v3'),
});

/** ENCRYPTION_KEY, decoded, of which the first seals and all open (secret-cipher.ts), and ENCRYPTION_FORMAT: docs/operations.md#change-the-encryption-key */
export const encryptionConfig = encryptionVariables.transform(toEncryption);

interface PhoneKeys {
  PHONE_HASH_KEY: Buffer;
  PHONE_HASH_KEY_PREVIOUS?: Buffer[] | undefined;
  PHONE_HASH_KEY_NEXT?: Buffer | undefined;
}

function phoneKeys({
  PHONE_HASH_KEY: key,
  PHONE_HASH_KEY_PREVIOUS: previous = [],
  PHONE_HASH_KEY_NEXT: next,
}: PhoneKeys) {
  return [...previous, key, ...(next ? [next] : [])];
}

function isAmong(key: Buffer, keys: readonly Buffer[]): boolean {
  return keys.some((each) => each.equals(key));
}

/** The same with PHONE_HASH_KEY, for those who see phones: docs/operations.md#change-the-phone-hash-key */
export const keysConfig = encryptionVariables
  .extend({
    PHONE_HASH_KEY: key,
    PHONE_HASH_KEY_PREVIOUS: keyList.optional(),
    PHONE_HASH_KEY_NEXT: key.optional(),
  })
  .refine((variables) => phoneKeys(variables).every((each) => !isAmong(each, variables.ENCRYPTION_KEY)), {
    path: ['PHONE_HASH_KEY'],
    error: 'must not be an ENCRYPTION_KEY too',
    // What is no key has been named already.
    when: ({ issues }) => issues.length === 0,
  })
  .refine(
    (variables) => new Set(phoneKeys(variables).map(encryptionKeyId)).size === phoneKeys(variables).length,
    {
      path: ['PHONE_HASH_KEY'],
      error: 'must not be PHONE_HASH_KEY_PREVIOUS or PHONE_HASH_KEY_NEXT too',
      when: ({ issues }) => issues.length === 0,
    },
  )
  .transform((variables) => ({
    phoneHash: {
      previous: variables.PHONE_HASH_KEY_PREVIOUS ?? [],
      current: variables.PHONE_HASH_KEY,
      next: variables.PHONE_HASH_KEY_NEXT,
    },
    encryption: toEncryption(variables),
  }));

function toEncryption({
  ENCRYPTION_KEY: keys,
  ENCRYPTION_FORMAT: format,
}: z.output<typeof encryptionVariables>) {
  return { keys, format };
}
