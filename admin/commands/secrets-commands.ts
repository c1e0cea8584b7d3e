import type { MasterSealing } from '../../adapters/encryption/clinic-ciphers.ts';
import { sealRecordings } from '../../commands/calls/seal-recordings.ts';
import { countUnsettledRows } from '../../commands/encryption/sealed-kinds.ts';
import { rehashPhones } from '../../commands/patients/rehash-phones.ts';
import { reencrypt } from '../../commands/encryption/reencrypt.ts';
import { recordAudit } from '../../commands/command-context.ts';
import { countUnsealedRecordings } from '../../db/calls/recordings.ts';
import type { SealedCount } from '../../db/encryption/sealed-rows.ts';
import { CLINIC_KEYS } from '../../db/encryption/sealed-tables.ts';
import { adminCommand } from '../admin-command.ts';
import { openStorage } from '../recording-files.ts';
import { readPhoneHash, readSealing } from '../service-keys.ts';

const AUDITED = { action: 'secrets.reencrypted', tenantId: null, subjectId: null } as const;

const reencryptCommand = adminCommand({
  words: 'secrets reencrypt',
  summary:
    'Seal the keys of clinics with the first key of ENCRYPTION_KEY, and with them what is not sealed so; can be broken off and begun again',
  options: {},
  async run(_options, { database, environment, context, tell }) {
    const sealing = readSealing(environment);
    const [keyId] = sealing.master.keyIds;
    await recordAudit(database.em(), { ...AUDITED, details: { keyId } }, context);
    const onProgress = (table: string, done: number) => tell(`${table}: ${done}`);
    const reencrypted = await reencrypt({ database, sealing }, onProgress);
    const counts = await countUnsettledRows(database.em());
    return { keyId, reencrypted, left: counts.filter((count) => !isAsWritten(count, sealing)) };
  },
  succeeded: ({ left }) => left.length === 0,
});

const sealRecordingsCommand = adminCommand({
  words: 'secrets seal-recordings',
  summary: 'Seal the recordings that are stored as they are; links to them end',
  options: {},
  async run(_options, { database, environment, context, tell }) {
    readSealing(environment);
    using storage = await openStorage(environment);
    await recordAudit(database.em(), { ...AUDITED, details: { recordings: true } }, context);
    const onSealed = (sealed: number) => tell(String(sealed));
    const counts = await sealRecordings({ database, storage, onSealed });
    return { ...counts, left: await countUnsealedRecordings(database.em()) };
  },
  succeeded: ({ left }) => left === 0,
});

const rehashPhonesCommand = adminCommand({
  words: 'secrets rehash-phones',
  summary: 'Carry the hashes of phones on to PHONE_HASH_KEY; can be broken off and begun again',
  options: {},
  async run(_options, { database, environment, context, tell }) {
    const phoneHash = readPhoneHash(environment);
    await recordAudit(database.em(), { ...AUDITED, details: { phones: true } }, context);
    return rehashPhones(database, phoneHash, (table, done) => tell(`${table}: ${done}`));
  },
  succeeded: ({ left }) => Object.keys(left).length === 0,
});

export const secretsCommands = [reencryptCommand, rehashPhonesCommand, sealRecordingsCommand];

function isAsWritten({ table, format, keyId }: SealedCount, sealing: MasterSealing): boolean {
  if (sealing.format === 'v3' && table !== CLINIC_KEYS.name) return format === 'v3';
  return format === 'clear' || format === 'v3' || `${format}.${keyId}` === sealing.master.header;
}
