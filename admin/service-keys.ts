import { createCallNumberVault } from '../adapters/phones/call-numbers.ts';
import { createSealing, NO_SEALING, type MasterSealing } from '../adapters/encryption/clinic-ciphers.ts';
import { encryptionConfig, keysConfig } from '../adapters/config/keys-config.ts';
import { readConfig, type Environment } from '../adapters/config/read-config.ts';
import { createPhoneHash, type PhoneHash } from '../adapters/phones/phone-hash.ts';
import type { Database } from '../db/connection/open-database.ts';
import type { Sealing } from '../domain/encryption/clinic-ciphers.ts';

/** Reads the keys for hashing phones. @throws ConfigError */
export function readPhoneHash(environment: Environment): PhoneHash {
  return createPhoneHash(readConfig({ keys: keysConfig }, environment).keys.phoneHash);
}

/** Reads the keys for finding and showing patient data. @throws ConfigError */
export async function readServiceKeys(
  environment: Environment,
  database: Pick<Database, 'ciphers'>,
  tenantId: string,
) {
  const phoneHash = readPhoneHash(environment);
  return { phoneHash, numbers: await createCallNumberVault(database.ciphers, phoneHash).of(tenantId) };
}

/** Reads the keys for encryption. @throws ConfigError */
export function readSealing(environment: Environment): MasterSealing {
  return createSealing(readConfig({ keys: encryptionConfig }, environment).keys);
}

/** Reads the keys for encryption if they are set: commands that decrypt nothing need none. @throws ConfigError */
export function sealingIfKnown(environment: Environment): Sealing {
  return environment['ENCRYPTION_KEY'] ? readSealing(environment) : NO_SEALING;
}
