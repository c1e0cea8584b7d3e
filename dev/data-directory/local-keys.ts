import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { readPrivateJson, writePrivateJson } from './private-file.ts';

const localKeys = z.object({
  phoneHashKey: z.base64(),
  /** A list of keys, like ENCRYPTION_KEY. */
  encryptionKey: z.string(),
  databasePassword: z.string(),
});
export type LocalKeys = z.infer<typeof localKeys>;

/** Creates the keys at the first start and keeps them, because stored hashes and encrypted values need them. */
export function keepLocalKeys(path: string): LocalKeys {
  const kept = readPrivateJson(path, localKeys);
  if (kept !== null) return kept;
  const made = {
    phoneHashKey: randomBytes(32).toString('base64'),
    encryptionKey: randomBytes(32).toString('base64'),
    databasePassword: randomBytes(24).toString('hex'),
  };
  writePrivateJson(path, made);
  return made;
}
