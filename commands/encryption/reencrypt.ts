import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { lockOtherClinicKeys, replaceClinicKeys, type SealedClinicKey } from '../../db/clinic/clinic-keys.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { clinicKey } from '../../domain/encryption/sealed-places.ts';
import { nullIfUnreadable } from '../../domain/encryption/text-cipher.ts';

/** Rows in a transaction: it takes milliseconds, and no one waits long for a row. */
const PAGE = 200;

/**
 * Seals the keys of clinics with the first key of ENCRYPTION_KEY, and with them all that they seal, in short transactions; may be broken
 * off and begun again. Those that no key opens stay as they are. Returns how many were sealed.
 * @param onProgress told after each step: how many have been sealed
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

/** Null when no key opens it. */
function sealedAnew({ tenantId, sealed }: SealedClinicKey, master: SecretCipher): SealedClinicKey | null {
  const place = clinicKey(tenantId);
  const key = nullIfUnreadable(() => master.decrypt(sealed, place));
  return key === null ? null : { tenantId, sealed: master.encrypt(key, place) };
}
