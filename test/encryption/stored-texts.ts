import { createSealing } from '../../adapters/encryption/clinic-ciphers.ts';
import { openDatabase } from '../../db/connection/open-database.ts';
import { sealedTexts } from '../support/stored/sealed-texts.ts';

/** How many of the encrypted texts that are stored these keys open, and how many there are. */
export async function openable(
  url: string,
  keys: readonly Uint8Array[],
): Promise<[opened: number, all: number]> {
  const sealing = createSealing(keys);
  await using database = await openDatabase({ sealing, url, applicationName: 'test openable' });
  const counts: [number, number] = [0, 0];
  for (const { text, place } of await sealedTexts(database)) {
    const cipherOf = async () =>
      place.purpose === 'clinic-key' ? sealing.master : await database.ciphers.of(place.tenantId);
    counts[0] += await opens(async () => (await cipherOf()).decrypt(text, place));
    counts[1] += 1;
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
