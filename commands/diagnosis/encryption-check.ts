import { countUnsettledRows } from '../encryption/sealed-kinds.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { isPhoneHashBeingExchanged } from '../../db/patients/phone-hashes.ts';
import type { SealedCount } from '../../db/encryption/sealed-rows.ts';
import { Ailment } from './check.ts';

const WORDS: Record<string, string> = {
  clinic_key: 'keys of clinics',
  webhook_secret: 'signing secrets',
  call: 'calls',
  webhook_event: 'events',
  idempotency_record: 'kept answers',
  appointment: 'appointments',
  'call.metadata': 'metadata of calls',
  call_event: 'lines of calls',
  nps_response: 'ratings',
  triage_form: 'forms',
  busy_block: 'blocks',
  webhook_attempt: 'attempts',
};

const EXCHANGE = 'phones are hashed by two keys and recall waits until `secrets rehash-phones` is done';

/** @param keyIds of the list ENCRYPTION_KEY; null when it is not known here */
export async function examineEncryptionKeys(database: Database, keyIds: readonly string[] | null) {
  const counts = await countUnsettledRows(database.em());
  if (counts.length === 0) return 'nothing is encrypted yet';
  const byKey = Map.groupBy(counts, waysOf);
  const ways = [...byKey].map(([way, of]) => `${way}: ${describeCounts(of)}`);
  const exchange = (await isPhoneHashBeingExchanged(database.em())) ? [EXCHANGE] : [];
  const found = [...ways, ...exchange].join('; ');
  const needed = [...new Set(counts.map(({ keyId }) => keyId))].filter(Boolean);
  if (keyIds === null)
    return `${found}; whether all are listed is not known, for ENCRYPTION_KEY is not set here`;
  const missing = needed.filter((keyId) => !keyIds.includes(keyId));
  if (missing.length > 0) throw new Ailment(`ENCRYPTION_KEY does not list ${missing.join(', ')}. ${found}`);
  return found;
}

function waysOf({ format, keyId }: SealedCount): string {
  if (format === 'clear') return 'still to be sealed';
  return keyId === '' ? 'under the keys of clinics' : keyId;
}

/** Tables in their order; what earlier formats hold counts too. */
function describeCounts(counts: readonly SealedCount[]): string {
  const byTable = Map.groupBy(counts, ({ table }) => table);
  const parts = [...byTable].map(
    ([table, of]) => `${of.reduce((sum, { rows }) => sum + rows, 0)} ${WORDS[table] ?? table}`,
  );
  return parts.join(', ');
}
