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

/** Rows per transaction, so few that others never wait long for a row. */
const PAGE = 200;

type Em = Pick<Database, 'em'>;

/**
 * Computes the next stored hashes of names again from the encrypted names, with the current rule for comparing names.
 * Rows keep their version. Returns false when nothing is left to do. Can be interrupted and repeated.
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

/** Like `rehashNames`, but for one clinic, before rows of a patient are searched by name. */
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

/** The decrypted name. Null if no key decrypts it: its hashes are then kept, and `doctor` reports the missing key. */
async function nameIn(em: EntityManager, row: NamedRow): Promise<string | null> {
  try {
    return (await openRow(em, 'appointment', row)).patientName;
  } catch (error) {
    if (error instanceof SecretUnreadableError) return null;
    throw error;
  }
}
