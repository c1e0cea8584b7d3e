import { z } from 'zod';
import { encryptionKeyId, SEALED_FORMATS } from '../encryption-key.ts';

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

/** ENCRYPTION_KEY, decoded, and ENCRYPTION_FORMAT: docs/operations.md#change-the-encryption-key */
export const encryptionConfig = encryptionVariables.transform(toEncryption);

/** The same with PHONE_HASH_KEY, for those who see phones. */
export const keysConfig = encryptionVariables
  .extend({ PHONE_HASH_KEY: key })
  .refine((variables) => variables.ENCRYPTION_KEY.every((each) => !each.equals(variables.PHONE_HASH_KEY)), {
    path: ['PHONE_HASH_KEY'],
    error: 'must not be an ENCRYPTION_KEY too',
    // What is no key has been named already.
    when: ({ issues }) => issues.length === 0,
  })
  .transform((variables) => ({
    phoneHashKey: variables.PHONE_HASH_KEY,
    encryption: toEncryption(variables),
  }));

function toEncryption({
  ENCRYPTION_KEY: keys,
  ENCRYPTION_FORMAT: format,
}: z.output<typeof encryptionVariables>) {
  return { keys, format };
}
