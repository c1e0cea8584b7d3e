import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { seesEveryClinic } from '../../db/diagnosis/find-walls.ts';
import { separateCallers } from '../../db/calls/separate-callers.ts';
import { beginPhoneHashExchange, endPhoneHashExchange } from '../../db/patients/hash-exchanges.ts';
import {
  countOtherHashes,
  HASHED_TABLES,
  lockOtherHashes,
  replaceHashes,
  type HashedRow,
  type HashedTable,
} from '../../db/patients/phone-hashes.ts';
import { STAND_INS } from '../../domain/calls/withheld-number.ts';

/** Rows per transaction, so few that others never wait long for a row. */
const PAGE = 200;

type Em = Pick<Database, 'em'>;

/**
 * Records that hashes exist under another key than the first; recalls pause until all use the same. Only processes that
 * see every clinic do so. Returns its argument.
 */
export async function announcePhoneHash(database: Em, phoneHash: PhoneHash): Promise<PhoneHash> {
  const { prefix } = phoneHash;
  if (prefix !== '' && (await seesEveryClinic(database.em())))
    await beginPhoneHashExchange(database.em(), prefix);
  return phoneHash;
}

/**
 * Rehashes all phones with the current key in short transactions; can be interrupted and repeated. Rows keep their
 * version and no events are sent. Returns for each table how many rows changed, and how many are left because their key
 * is not listed.
 * @param onProgress called after each step
 */
export async function rehashPhones(
  database: Em,
  phoneHash: PhoneHash,
  onProgress: (table: string, done: number) => void,
): Promise<{ rehashed: Record<string, number>; left: Record<string, number> }> {
  const rehashed: Record<string, number> = {};
  const left: Record<string, number> = {};
  await announcePhoneHash(database, phoneHash);
  for (const table of HASHED_TABLES) {
    let done = 0;
    for await (const changed of pagesOf(database, phoneHash, table, null)) {
      done += changed;
      onProgress(table.name, done);
    }
    rehashed[table.name] = done;
  }
  for (const table of HASHED_TABLES) {
    const count = await countOtherHashes(database.em(), table, phoneHash.prefix);
    if (count > 0) left[table.name] = count;
  }
  if (Object.keys(left).length === 0) await endPhoneHashExchange(database.em(), phoneHash.prefix);
  return { rehashed, left };
}

/** Like `rehashPhones`, but for one clinic, before rows of a patient are searched by phone. */
export async function rehashPhonesOf(database: Em, phoneHash: PhoneHash, tenantId: string): Promise<void> {
  const standIns = STAND_INS.flatMap((e164) => phoneHash.every({ tenantId, e164 }));
  await separateCallers(database.em(), tenantId, standIns);
  for (const table of HASHED_TABLES) {
    const pages = pagesOf(database, phoneHash, table, tenantId);
    while (!(await pages.next()).done);
  }
}

/**
 * The number of changed rows of each page. Hashes of the very first key have no prefix and cannot be converted back.
 */
async function* pagesOf(database: Em, phoneHash: PhoneHash, table: HashedTable, tenantId: string | null) {
  if (phoneHash.prefix === '') return;
  for (let after: string[] | null = null; ;) {
    const page: { held: HashedRow[]; changed: number } = await database.em().transactional(async (em) => {
      const wanted = { tenantId, prefix: phoneHash.prefix, after, limit: PAGE };
      const held = await lockOtherHashes(em, table, wanted);
      const anew = held.map((row) => ({ ...row, texts: carriedOn(phoneHash, row) }));
      await replaceHashes(em, table, anew);
      const isChanged = (row: HashedRow, at: number) => String(row.texts) !== String(held[at]?.texts);
      return { held, changed: anew.filter(isChanged).length };
    });
    if (page.changed > 0) yield page.changed;
    after = page.held.at(-1)?.key ?? null;
    if (page.held.length < PAGE) return;
  }
}

/** The new hash. A hash made with a key that is not listed is kept. */
function carriedOn(phoneHash: PhoneHash, { tenantId, texts }: HashedRow): string[] {
  return texts.map((hash) => phoneHash.carriedOn(tenantId, hash) ?? hash);
}
