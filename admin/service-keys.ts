import { createCallNumberVault } from '../adapters/call-numbers.ts';
import { keysConfig } from '../adapters/config/keys-config.ts';
import { readConfig, type Environment } from '../adapters/config/read-config.ts';
import { createPhoneHash } from '../adapters/phone-hash.ts';
import { createSecretCipher } from '../adapters/secret-cipher.ts';

/** What opens and names the data of patients. @throws ConfigError */
export function readServiceKeys(environment: Environment) {
  const { encryption, phoneHashKey } = readConfig({ keys: keysConfig }, environment).keys;
  const cipher = createSecretCipher(encryption.keys, encryption.format);
  const phoneHash = createPhoneHash(phoneHashKey);
  return { cipher, phoneHash, numbers: createCallNumberVault(cipher, phoneHash) };
}
