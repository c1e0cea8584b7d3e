import { createCallNumberVault } from '../adapters/phones/call-numbers.ts';
import { createSealing, NO_SEALING, type MasterSealing } from '../adapters/encryption/clinic-ciphers.ts';
import { encryptionConfig, keysConfig } from '../adapters/config/keys-config.ts';
import { readConfig, type Environment } from '../adapters/config/read-config.ts';
import { createPhoneHash, type PhoneHash } from '../adapters/phones/phone-hash.ts';
import type { Database } from '../db/connection/open-database.ts';
import type { Sealing } from '../domain/encryption/clinic-ciphers.ts';

/** For hashing phones. @throws ConfigError */
export function readPhoneHash(environment: Environment): PhoneHash {
  return createPhoneHash(readConfig({ keys: keysConfig }, environment).keys.phoneHash);
}

/** For finding and showing patient data. @throws ConfigError */
export async function readServiceKeys(
  environment: Environment,
  database: Pick<Database, 'ciphers'>,
  tenantId: string,
) {
  const phoneHash = readPhoneHash(environment);
  return { phoneHash, numbers: await createCallNumberVault(database.ciphers, phoneHash).of(tenantId) };
}

/** For encryption. @throws ConfigError */
export function readSealing(environment: Environment): MasterSealing {
  return createSealing(readConfig({ keys: encryptionConfig }, environment).keys);
}

/** For all commands: those that decrypt nothing need no key. @throws ConfigError */
export function sealingIfKnown(environment: Environment): Sealing {
  return environment['ENCRYPTION_KEY'] ? readSealing(environment) : NO_SEALING;
}
