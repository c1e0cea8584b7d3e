import type { Database } from '../../db/connection/open-database.ts';
import { cipherOf } from '../../db/connection/cipher-of.ts';
import type { EntityManager } from '../../db/connection/statements.ts';
import { openRow } from '../../db/encryption/field-seal.ts';
import {
  endNamePass,
  findNamePass,
  pageOfNames,
  replaceNameHashes,
  saveNamePass,
  type NamedRow,
} from '../../db/patients/name-hashes.ts';
import { SecretUnreadableError } from '../../domain/encryption/text-cipher.ts';
import { hashesOfName } from '../../domain/patients/name-hashes.ts';

/** Rows in a transaction: it takes milliseconds, and no one waits long for a row. */
const PAGE = 200;

type Em = Pick<Database, 'em'>;

/**
 * Makes the next stored hashes of names again, from the sealed names, as names are compared now. Rows keep their version.
 * Returns false when nothing is left to do for now. May be interrupted and repeated.
 */
export function rehashNames(database: Em, limit = PAGE): Promise<boolean> {
  return database.em().transactional(async (em) => {
    const pass = await findNamePass(em);
    if (!pass) return false;
    const page = await pageOfNames(em, { tenantId: null, after: pass.after, limit });
    await rehashPage(em, page);
    const last = page.length < limit ? undefined : page.at(-1);
    await (last ? saveNamePass(em, last.id) : endNamePass(em));
    return true;
  });
}

/** The same for one clinic, before a patient's rows are looked for by name. */
export async function rehashNamesOf(database: Em, tenantId: string): Promise<void> {
  if (!(await findNamePass(database.em()))) return;
  for (let after: string | null = null; ;) {
    const page: NamedRow[] = await database.em().transactional(async (em) => {
      const rows = await pageOfNames(em, { tenantId, after, limit: PAGE });
      await rehashPage(em, rows);
      return rows;
    });
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) return;
  }
}

async function rehashPage(em: EntityManager, page: readonly NamedRow[]): Promise<void> {
  const changed: NamedRow[] = [];
  for (const row of page) {
    const hashes = hashesOfName(await cipherOf(em, row.tenantId), await nameIn(em, row));
    if (hashes.nameHash === null) continue;
    if (hashes.nameHash !== row.nameHash || hashes.nameTokens !== row.nameTokens)
      changed.push({ ...row, ...hashes });
  }
  if (changed.length > 0) await replaceNameHashes(em, changed);
}

/** Null: no key opens it, and its hashes stay. `doctor` reports keys that are missing. */
async function nameIn(em: EntityManager, row: NamedRow): Promise<string | null> {
  try {
    return (await openRow(em, 'appointment', row)).patientName;
  } catch (error) {
    if (error instanceof SecretUnreadableError) return null;
    throw error;
  }
}
