import type { SecretCipher } from '../../adapters/secret-cipher.ts';
import { SEALED_KINDS } from '../../commands/encryption/sealed-kinds.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { lockSealedRows } from '../../db/encryption/sealed-rows.ts';

/** How many of the encrypted texts that are stored a cipher opens, by table, and how many there are. */
export async function openable(
  database: Database,
  cipher: SecretCipher,
): Promise<[opened: number, all: number]> {
  const counts: [number, number] = [0, 0];
  for (const { table, places } of SEALED_KINDS) {
    const wanted = { after: null, limit: 1_000_000, header: 'none' };
    const rows = await database.em().transactional((em) => lockSealedRows(em, table, wanted));
    for (const row of rows) {
      for (const [index, place] of places(row).entries()) {
        counts[0] += opens(() => cipher.decrypt(row.texts[index] ?? '', place));
        counts[1] += 1;
      }
    }
  }
  return counts;
}

function opens(open: () => string): number {
  try {
    open();
    return 1;
  } catch {
    return 0;
  }
}
