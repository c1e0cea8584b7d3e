import { createSealing } from '../../adapters/encryption/clinic-ciphers.ts';
import { SEALED_KINDS } from '../../commands/encryption/sealed-kinds.ts';
import { openDatabase } from '../../db/connection/open-database.ts';
import { lockSealedRows } from '../../db/encryption/sealed-rows.ts';
import { isSealedText } from '../../domain/encryption/sealed-fields.ts';

/** How many of the encrypted texts that are stored these keys open, and how many there are. */
export async function openable(
  url: string,
  keys: readonly Uint8Array[],
): Promise<[opened: number, all: number]> {
  const sealing = createSealing(keys);
  await using database = await openDatabase({ sealing, url, applicationName: 'test openable' });
  const counts: [number, number] = [0, 0];
  for (const { table, places } of SEALED_KINDS) {
    const wanted = { after: null, limit: 1_000_000, begin: 'none' };
    const { rows } = await database.em().transactional((em) => lockSealedRows(em, table, wanted));
    for (const row of rows) {
      const cipherOf = async () =>
        table.sealedBy === 'master' ? sealing.master : await database.ciphers.of(row.tenantId);
      const texts = places(row).map((place, index) => ({ place, text: row.texts[index] ?? '' }));
      for (const { place, text } of texts.filter((each) => isSealedText(each.text))) {
        counts[0] += await opens(async () => (await cipherOf()).decrypt(text, place));
        counts[1] += 1;
      }
    }
  }
  return counts;
}

async function opens(open: () => Promise<string>): Promise<number> {
  try {
    await open();
    return 1;
  } catch {
    return 0;
  }
}
