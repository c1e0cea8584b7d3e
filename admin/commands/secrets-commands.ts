import { rehashPhones } from '../../commands/patients/rehash-phones.ts';
import { reencrypt } from '../../commands/encryption/reencrypt.ts';
import { recordAudit } from '../../commands/command-context.ts';
import { countClinicKeys } from '../../db/clinic/clinic-keys.ts';
import { adminCommand } from '../admin-command.ts';
import { readPhoneHash, readSealing } from '../service-keys.ts';

const AUDITED = { action: 'secrets.reencrypted', tenantId: null, subjectId: null } as const;

const reencryptCommand = adminCommand({
  words: 'secrets reencrypt',
  summary:
    'Re-encrypt the clinics’ keys with the first key of ENCRYPTION_KEY. You can interrupt and repeat this command',
  options: {},
  async run(_options, { database, environment, context, tell }) {
    const { master } = readSealing(environment);
    const [keyId] = master.keyIds;
    await recordAudit(database.em(), { ...AUDITED, details: { keyId } }, context);
    const reencrypted = await reencrypt(database, master, (done) => tell(String(done)));
    const counts = await countClinicKeys(database.em());
    return { keyId, reencrypted, left: counts.filter((count) => count.keyId !== keyId) };
  },
  succeeded: ({ left }) => left.length === 0,
});

const rehashPhonesCommand = adminCommand({
  words: 'secrets rehash-phones',
  summary: 'Hash phone numbers again with PHONE_HASH_KEY. You can interrupt and repeat this command',
  options: {},
  async run(_options, { database, environment, context, tell }) {
    const phoneHash = readPhoneHash(environment);
    await recordAudit(database.em(), { ...AUDITED, details: { phones: true } }, context);
    return rehashPhones(database, phoneHash, (table, done) => tell(`${table}: ${done}`));
  },
  succeeded: ({ left }) => Object.keys(left).length === 0,
});

export const secretsCommands = [reencryptCommand, rehashPhonesCommand];
