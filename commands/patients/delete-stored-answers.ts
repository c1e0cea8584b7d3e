import { storedAnswer } from '../../domain/encryption/sealed-places.ts';
import { nullIfUnreadable } from '../../domain/encryption/text-cipher.ts';
import { cipherOf } from '../../db/connection/cipher-of.ts';
import type { Erasure } from './events-of-patient.ts';
import { deleteStoredAnswers, pageOfStoredAnswers } from '../../db/patients/stored-answers.ts';

const PAGE = 100;

/** Matches an ID or the hash of a phone. */
const TRACE = /[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * Deletes stored answers that contain one of the ids or hashes, and those that cannot be decrypted. Returns how many.
 */
export async function deleteStoredAnswersOf(
  { database, storedHashes = (shown) => [shown] }: Pick<Erasure, 'database' | 'storedHashes'>,
  tenantId: string,
  traces: ReadonlySet<string>,
): Promise<number> {
  if (traces.size === 0) return 0;
  const cipher = await cipherOf(database.em(), tenantId);
  let forgotten = 0;
  let after: Buffer | null = null;
  for (;;) {
    const page = await pageOfStoredAnswers(database.em(), tenantId, { after, limit: PAGE });
    const showing = page.filter(({ keyHash, sealed }) => {
      const answer = nullIfUnreadable(() => cipher.decrypt(sealed, storedAnswer(tenantId, keyHash)));
      return (
        answer === null ||
        (answer.match(TRACE) ?? []).some((trace) =>
          [trace, ...storedHashes(trace)].some((each) => traces.has(each)),
        )
      );
    });
    const hashes = showing.map(({ keyHash }) => keyHash);
    if (hashes.length > 0) await deleteStoredAnswers(database.em(), tenantId, hashes);
    forgotten += hashes.length;
    after = page.at(-1)?.keyHash ?? null;
    if (page.length < PAGE) return forgotten;
  }
}
