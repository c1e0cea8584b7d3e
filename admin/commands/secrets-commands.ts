import { encryptionConfig } from '../../adapters/config/keys-config.ts';
import { readConfig, type Environment } from '../../adapters/config/read-config.ts';
import { createSecretCipher, type SecretCipher } from '../../adapters/secret-cipher.ts';
import { countAllSealedRows } from '../../commands/encryption/sealed-kinds.ts';
import { reencrypt } from '../../commands/encryption/reencrypt.ts';
import { recordAudit } from '../../commands/record-audit.ts';
import { adminCommand } from '../admin-command.ts';

const reencryptCommand = adminCommand({
  words: 'secrets reencrypt',
  summary: 'Seal everything stored with the first key of ENCRYPTION_KEY; can be broken off and begun again',
  options: {},
  async run(_options, { database, environment, context, tell }) {
    const cipher = readCipher(environment);
    const details = { keyId: cipher.keyIds[0] };
    const audited = { action: 'secrets.reencrypted', tenantId: null, subjectId: null, details } as const;
    await recordAudit(database.em(), audited, context);
    const onProgress = (table: string, done: number) => tell(`${table}: ${done}`);
    const reencrypted = await reencrypt({ database, cipher, onProgress });
    const counts = await countAllSealedRows(database.em());
    const left = counts.filter(({ format, keyId }) => `${format}.${keyId}` !== cipher.header);
    return { keyId: cipher.keyIds[0], reencrypted, left };
  },
  succeeded: ({ left }) => left.length === 0,
});

export const secretsCommands = [reencryptCommand];

/** What the service encrypts with. @throws ConfigError */
export function readCipher(environment: Environment): SecretCipher {
  const { keys, format } = readConfig({ encryption: encryptionConfig }, environment).encryption;
  return createSecretCipher(keys, format);
}
