import { countAllSealedRows } from '../encryption/sealed-kinds.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { SealedCount } from '../../db/encryption/sealed-rows.ts';
import { Ailment } from './check.ts';

const WORDS: Record<SealedCount['table'], string> = {
  webhook_secret: 'signing secrets',
  call: 'calls',
  webhook_event: 'events',
  idempotency_record: 'kept answers',
};

/** @param keyIds of the list ENCRYPTION_KEY; null when it is not known here */
export async function examineEncryptionKeys(
  database: Database,
  keyIds: readonly string[] | null,
): Promise<string> {
  const byKey = Map.groupBy(await countAllSealedRows(database.em()), ({ keyId }) => keyId);
  if (byKey.size === 0) return 'nothing is encrypted yet';
  const found = [...byKey].map(([keyId, counts]) => `${keyId}: ${describeCounts(counts)}`).join('; ');
  if (keyIds === null)
    return `${found}; whether all are listed is not known, for ENCRYPTION_KEY is not set here`;
  const missing = [...byKey.keys()].filter((keyId) => !keyIds.includes(keyId));
  if (missing.length > 0) throw new Ailment(`ENCRYPTION_KEY does not list ${missing.join(', ')}. ${found}`);
  return found;
}

/** Tables in their order; what earlier formats hold counts too. */
function describeCounts(counts: readonly SealedCount[]): string {
  const byTable = Map.groupBy(counts, ({ table }) => table);
  const parts = [...byTable].map(
    ([table, of]) => `${of.reduce((sum, { rows }) => sum + rows, 0)} ${WORDS[table]}`,
  );
  return parts.join(', ');
}
