import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { lockOtherClinicKeys, replaceClinicKeys, type SealedClinicKey } from '../../db/clinic/clinic-keys.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { clinicKey } from '../../domain/encryption/sealed-places.ts';
import { nullIfUnreadable } from '../../domain/encryption/text-cipher.ts';

/** Rows per transaction, so few that others never wait long for a row. */
const PAGE = 200;

/**
 * Re-encrypts the clinics' keys, and thereby everything under them, with the first key of ENCRYPTION_KEY, in short
 * transactions; can be interrupted and repeated. Keys that cannot be decrypted stay as they are. Returns how many were
 * re-encrypted.
 * @param onProgress called after each step with the number so far
 */
export async function reencrypt(
  database: Pick<Database, 'em'>,
  master: SecretCipher,
  onProgress: (done: number) => void,
): Promise<number> {
  let done = 0;
  for (let after: string | null = null; ;) {
    const held: SealedClinicKey[] = await database.em().transactional(async (em) => {
      const page = await lockOtherClinicKeys(em, master.header, after, PAGE);
      const anew = page.flatMap((key) => sealedAnew(key, master) ?? []);
      await replaceClinicKeys(em, anew);
      done += anew.length;
      return page;
    });
    if (held.length > 0) onProgress(done);
    if (held.length < PAGE) return done;
    after = held.at(-1)?.tenantId ?? null;
  }
}

/** Null when it cannot be decrypted. */
function sealedAnew({ tenantId, sealed }: SealedClinicKey, master: SecretCipher): SealedClinicKey | null {
  const place = clinicKey(tenantId);
  const key = nullIfUnreadable(() => master.decrypt(sealed, place));
  return key === null ? null : { tenantId, sealed: master.encrypt(key, place) };
}
