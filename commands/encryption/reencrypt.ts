import type { MasterSealing } from '../../adapters/encryption/clinic-ciphers.ts';
import { cipherOf } from '../../db/connection/cipher-of.ts';
import { clinicsWithoutKey } from '../../db/clinic/clinic-keys.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { seesEveryClinic } from '../../db/connection/find-walls.ts';
import {
  lockSealedRows,
  replaceTexts,
  type SealedAnew,
  type SealedRow,
} from '../../db/encryption/sealed-rows.ts';
import { partOf } from '../../db/encryption/sealed-tables.ts';
import {
  restartSealing,
  saveSealingProgress,
  takeSealingTurn,
} from '../../db/encryption/sealing-progress.ts';
import { isSealedText } from '../../domain/encryption/sealed-fields.ts';
import type { SealedPlace } from '../../domain/encryption/sealed-places.ts';
import { SecretUnreadableError, type TextCipher } from '../../domain/encryption/text-cipher.ts';
import { SEALED_KINDS, type SealedKind } from './sealed-kinds.ts';

/** Rows in a transaction: it takes milliseconds, and nobody waits long for a row. */
const PAGE = 200;

export interface Reencryption {
  database: Pick<Database, 'em' | 'ciphers'>;
  sealing: Pick<MasterSealing, 'master' | 'format'>;
}

/**
 * Goes through everything that is stored: what another key or an earlier format has sealed, or nothing yet, is sealed as it is
 * written now; with an earlier format the master key alone is exchanged. Each page is a short transaction and writes down how far it came, so it may be broken off at any time. Rows
 * that no key opens stay as they are. Returns how many rows of each table were sealed.
 * @param onProgress told after each step: how many rows of the table have been sealed
 */
export async function reencrypt(
  reencryption: Reencryption,
  onProgress: (table: string, done: number) => void,
): Promise<Record<string, number>> {
  const sealed: Record<string, number> = {};
  await makeMissingKeys(reencryption);
  for (const kind of kindsOf(reencryption)) {
    const name = partOf(kind.table);
    let done = 0;
    await restartSealing(reencryption.database.em(), name);
    for (;;) {
      const page = await sealPage(kind, reencryption, { waits: true });
      if (!page) break;
      done += page.sealed;
      if (page.sealed > 0) onProgress(name, done);
    }
    sealed[name] = done;
  }
  return sealed;
}

/** The same a little at a time, where it is not done yet; for a process that has other work, and may see every clinic's rows. */
export async function sealSome(reencryption: Reencryption, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  if (!(await seesEveryClinic(reencryption.database.em()))) return;
  await makeMissingKeys(reencryption);
  for (const kind of kindsOf(reencryption)) {
    while (performance.now() < until && (await sealPage(kind, reencryption, { waits: false })));
  }
}

function kindsOf({ sealing: { format } }: Reencryption): readonly SealedKind[] {
  return format === 'v3' ? SEALED_KINDS : SEALED_KINDS.filter(({ isNew }) => !isNew);
}

/** Those of clinics that were made where no `ENCRYPTION_KEY` was set. */
async function makeMissingKeys({ database }: Reencryption): Promise<void> {
  for (;;) {
    const clinics = await clinicsWithoutKey(database.em(), PAGE);
    for (const tenantId of clinics) await database.ciphers.of(tenantId);
    if (clinics.length < PAGE) return;
  }
}

/** Null when there is nothing to do now. */
function sealPage(kind: SealedKind, reencryption: Reencryption, turn: { waits: boolean }) {
  const { table } = kind;
  const { master, format } = reencryption.sealing;
  const isOfMaster = table.sealedBy === 'master';
  const isOfMasterOnly = isOfMaster || format !== 'v3';
  const begin = isOfMasterOnly ? master.header : 'v3.';
  return reencryption.database.em().transactional(async (em) => {
    const progress = await takeSealingTurn(em, partOf(table), turn);
    if (!progress) return null;
    const wanted = { after: progress.position, limit: PAGE, begin, isOfMasterOnly };
    const { rows, found, last } = await lockSealedRows(em, table, wanted);
    const sealed: SealedAnew[] = [];
    const findCipher = async (tenantId: string) => (isOfMaster ? master : cipherOf(em, tenantId));
    for (const row of rows) {
      const anew = await sealAnew(row, kind, findCipher);
      if (anew) sealed.push(anew);
    }
    await replaceTexts(em, table, sealed);
    await saveSealingProgress(em, partOf(table), {
      position: found < PAGE ? null : last,
      leftOver: progress.leftOver + found - sealed.length,
    });
    return { sealed: sealed.length };
  });
}

/** Null when a text of the row cannot be opened, or not be sealed with what is stored. */
async function sealAnew(
  row: SealedRow,
  { table, places }: SealedKind,
  findCipher: (tenantId: string) => Promise<TextCipher>,
): Promise<SealedAnew | null> {
  try {
    const cipher = await findCipher(row.tenantId);
    const texts = places(row).map((place, at) =>
      sealText(row.texts[at] ?? null, place, table.columns[at]?.placeholder, cipher),
    );
    return { key: row.key, texts };
  } catch (error) {
    if (error instanceof SecretUnreadableError) return null;
    throw error;
  }
}

function sealText(
  stored: string | null,
  place: SealedPlace,
  placeholder: string | undefined,
  cipher: TextCipher,
): string | null {
  const text = stored !== null && isSealedText(stored) ? cipher.decrypt(stored, place) : stored;
  return text === null || ['', '{}', placeholder].includes(text) ? text : cipher.encrypt(text, place);
}
