import { cipherOf } from '../../db/connection/cipher-of.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import {
  idempotencyKeyHash,
  saveIdempotencyRecords,
  type IdempotencyKey,
} from '../../db/requests/idempotency-records.ts';
import { storedAnswer, type SealedPlace } from '../../domain/encryption/sealed-places.ts';
import type { TextCipher } from '../../domain/encryption/text-cipher.ts';
import { ServiceError } from '../../domain/service-error.ts';

/** A request that is handled once, however often it is sent. */
export interface IdempotentRequest extends IdempotencyKey {
  /** Equal for two requests with the same meaning. */
  fingerprint: string;
}

/** Stores answers for repeats, in the transaction that claimed their keys. */
export async function storeAnswers<Answer>(
  em: EntityManager,
  kept: readonly { request: IdempotentRequest; answer: Answer }[],
): Promise<void> {
  if (kept.length === 0) return;
  const records = await Array.fromAsync(kept, async ({ request, answer }) => {
    const cipher = await cipherOf(em, request.tenantId);
    return { key: request, sealed: sealAnswer(cipher, request, answer) };
  });
  await saveIdempotencyRecords(em, records);
}

interface StoredAnswer<Answer> {
  fingerprint: string;
  answer: Answer;
}

function sealAnswer<Answer>(cipher: TextCipher, request: IdempotentRequest, answer: Answer): string {
  const kept: StoredAnswer<Answer> = { fingerprint: request.fingerprint, answer };
  return cipher.encrypt(JSON.stringify(kept), placeOf(request));
}

/** Decrypts and parses a stored response. @throws ServiceError `idempotency_key_reused` */
export function openAnswer<Answer>(cipher: TextCipher, request: IdempotentRequest, sealed: string): Answer {
  const opened = JSON.parse(cipher.decrypt(sealed, placeOf(request))) as StoredAnswer<Answer>;
  if (opened.fingerprint !== request.fingerprint) throw reused();
  return opened.answer;
}

function placeOf({ tenantId, key }: IdempotencyKey): SealedPlace {
  return storedAnswer(tenantId, idempotencyKeyHash(key));
}

function reused(): ServiceError {
  return new ServiceError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Use a new key for a new request.',
  );
}
