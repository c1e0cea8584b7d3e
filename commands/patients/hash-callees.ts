import type { PhoneHash } from '../../adapters/phone-hash.ts';
import { callNumber } from '../../domain/encryption/sealed-places.ts';
import { SecretUnreadableError, type TextCipher } from '../../domain/encryption/text-cipher.ts';
import { cipherOf } from '../../db/connection/cipher-of.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { holdCallsWithoutCallee, saveCallees, type UnhashedCall } from '../../db/patients/callees.ts';

const PAGE = 200;

/**
 * Makes the hashes by which calls to a patient are found, where an earlier version wrote a call without. Once for each call, in
 * short transactions; a number that no key opens is left for a later time.
 */
export async function hashCallees(
  database: Pick<Database, 'em'>,
  phoneHash: PhoneHash,
  tenantId: string,
): Promise<void> {
  const cipher = await cipherOf(database.em(), tenantId);
  for (let after: string | null = null; ;) {
    const page: UnhashedCall[] = await database.em().transactional(async (em) => {
      const held = await holdCallsWithoutCallee(em, tenantId, { after, limit: PAGE });
      await saveCallees(
        em,
        tenantId,
        held.flatMap((call) => hashOf(call, cipher, phoneHash) ?? []),
      );
      return held;
    });
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) return;
  }
}

function hashOf(call: UnhashedCall, cipher: TextCipher, phoneHash: PhoneHash) {
  const { id, tenantId } = call;
  try {
    const e164 = cipher.decrypt(call.toNumberSealed, callNumber(call, 'to'));
    return { id, hash: phoneHash({ tenantId, e164 }) };
  } catch (error) {
    if (error instanceof SecretUnreadableError) return null;
    throw error;
  }
}
