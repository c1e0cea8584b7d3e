import type { SealedPlace } from '../../adapters/sealed-places.ts';
import { SecretUnreadableError, type SecretCipher } from '../../adapters/secret-cipher.ts';
import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import {
  lockSealedRows,
  replaceSealedTexts,
  type PageWanted,
  type SealedRow,
} from '../../db/encryption/sealed-rows.ts';
import type { SealedTable } from '../../db/encryption/sealed-tables.ts';
import { SEALED_KINDS, type SealedKind } from './sealed-kinds.ts';

/** Rows in a transaction: it takes milliseconds, and nobody waits long for a row. */
const PAGE = 200;

export interface Reencryption {
  database: Pick<Database, 'em'>;
  cipher: SecretCipher;
  /** Told after each step: how many rows of the table have been sealed anew. */
  onProgress: (table: SealedTable['name'], done: number) => void;
}

/**
 * Seals with the first key, in the format that is written now, what another key or format has sealed. Each page is a short
 * transaction, so it may be broken off and begun again at any time. Rows that no key opens stay as they are. Returns how
 * many rows of each table were sealed anew.
 */
export async function reencrypt(reencryption: Reencryption): Promise<Record<string, number>> {
  const done: Record<string, number> = {};
  for (const kind of SEALED_KINDS) done[kind.table.name] = await reencryptKind(kind, reencryption);
  return done;
}

async function reencryptKind(kind: SealedKind, reencryption: Reencryption): Promise<number> {
  let done = 0;
  // Rows that somebody held are met in the next round.
  for (let before = -1; before < done;) {
    before = done;
    let after: PageWanted['after'] = null;
    do {
      const page = await reencryptPage(kind, after, reencryption);
      done += page.done;
      after = page.next;
      if (page.done > 0) reencryption.onProgress(kind.table.name, done);
    } while (after);
  }
  return done;
}

function reencryptPage(
  kind: SealedKind,
  after: PageWanted['after'],
  { database, cipher }: Reencryption,
): Promise<{ done: number; next: PageWanted['after'] }> {
  return database.em().transactional(async (em: EntityManager) => {
    const rows = await lockSealedRows(em, kind.table, { after, limit: PAGE, header: cipher.header });
    const sealed = rows.flatMap((row) => sealAnew(row, kind.places(row), cipher) ?? []);
    if (sealed.length > 0) await replaceSealedTexts(em, kind.table, sealed);
    return { done: sealed.length, next: rows.length < PAGE ? null : (rows.at(-1) ?? null) };
  });
}

/** Null when a text of the row cannot be opened, or not be sealed with what is stored. */
function sealAnew(row: SealedRow, places: readonly SealedPlace[], cipher: SecretCipher): SealedRow | null {
  try {
    const texts = places.map((place, index) =>
      cipher.encrypt(cipher.decrypt(row.texts[index] ?? '', place), place),
    );
    return { ...row, texts };
  } catch (error) {
    if (error instanceof SecretUnreadableError) return null;
    throw error;
  }
}
