import { setTimeout as delay } from 'node:timers/promises';
import { growingPause } from '../../../adapters/timing/pause.ts';
import { keptAnswer, type SealedPlace } from '../../../domain/encryption/sealed-places.ts';
import type { TextCipher } from '../../../domain/encryption/text-cipher.ts';
import {
  claimIdempotencyKey,
  claimIdempotencyKeys,
  idempotencyKeyHash,
  saveIdempotencyRecords,
  type IdempotencyClaim,
  type IdempotencyKey,
} from '../../../db/requests/idempotency-records.ts';
import type { ClinicDatabase, Database, EntityManager } from '../../../db/connection/open-database.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import type { Answer, KeyedRequest } from '../../contract/implement.ts';
import { isKeptAnswer } from '../../contract/idempotency-key.ts';
import type { IdempotentRequest } from './idempotent-request.ts';

/** So long is a running twin waited for: docs/idempotency.md#a-repeat */
const LONGEST_WAIT_MS = 5000;
const POLL_MS = { first: 20, longest: 250, factor: 1.5 };

export type Write = ClinicDatabase['write'];

export interface Performance {
  /** Answers the request; all its writes go through `write`, or are committed together with the answer, which then says so. */
  perform: (write: Write, keyed: KeyedRequest) => Promise<Answer>;
  /** How a refusal by `perform` is answered. */
  refuse: (error: ServiceError) => Answer;
}

export type AnswerOnce = (request: IdempotentRequest, performance: Performance) => Promise<Answer>;

/**
 * Performs a request once per key and clinic, and answers its twins with the same bytes. Answer and work commit
 * together; a crash leaves neither. Between two looks at a running twin no connection is held.
 * Errors: `idempotency_key_reused`, `idempotency_in_progress`.
 */
export function createAnswerOnce(database: Database, longestWaitMs = LONGEST_WAIT_MS): AnswerOnce {
  const lookFor = database.batcher('idempotency', (keys: readonly IdempotencyKey[]) =>
    database.ofClinics(keys.map(({ tenantId }) => tenantId)).read((em) => claimIdempotencyKeys(em, keys)),
  );
  return async (request, performance) => {
    const cipher = await database.ciphers.of(request.tenantId);
    const waiting = pollTimes(longestWaitMs);
    for (;;) {
      const answer = await performOnce({ database, cipher, lookFor }, request, performance);
      if (answer) return answer;
      for (;;) {
        const claim = await lookFor(request);
        if (claim.state === 'found') return replay(cipher, request, claim.sealed);
        const next = waiting.next();
        if (next.done) throw inProgress();
        if (claim.state === 'claimed') break;
        await delay(next.value);
      }
    }
  };
}

type LookFor = (key: IdempotencyKey) => Promise<IdempotencyClaim>;

/**
 * The key is looked for before the first write, or before an answer without one is kept, and claimed with it. Null when a
 * twin came first.
 */
async function performOnce(
  { database, cipher, lookFor }: { database: Database; cipher: TextCipher; lookFor: LookFor },
  request: IdempotentRequest,
  { perform, refuse }: Performance,
): Promise<Answer | null> {
  const clinic = database.ofClinic(request.tenantId);
  let isLookedFor = false;
  const look = async () => {
    isLookedFor = true;
    yieldToTwin(await lookFor(request));
  };
  const transaction = lazyTransaction(
    (...given) => look().then(() => clinic.write(...given)),
    async (em) => yieldToTwin(await claimIdempotencyKey(em, request)),
  );
  try {
    const write: Write = async (work, { writesOnce = false } = {}) => {
      const em = await transaction.use();
      return writesOnce ? work(em) : em.transactional(work);
    };
    const sealed = (answer: Answer) => seal(cipher, request, answer);
    const answer = await perform(write, { key: request, seal: sealed }).catch(async (error: unknown) => {
      if (error instanceof ServiceError && isKeptAnswer(error.status)) return refuse(error);
      // What was answered before is answered again, whatever is in the way now.
      if (!isLookedFor) await look();
      throw error;
    });
    if (!answer.isKept) {
      const record = { key: request, sealed: sealed(answer) };
      await transaction.commit((em) => saveIdempotencyRecords(em, [record]));
    }
    return answer;
  } catch (error) {
    await transaction.rollback();
    if (error instanceof TwinCameFirst) return null;
    throw error;
  }
}

/** Ends a performance that would be the second one. */
class TwinCameFirst extends Error {
  override readonly name = 'TwinCameFirst';
}

function yieldToTwin({ state }: IdempotencyClaim): void {
  if (state !== 'claimed') throw new TwinCameFirst();
}

interface KeptAnswer {
  fingerprint: string;
  answer: Answer;
}

function seal(cipher: TextCipher, request: IdempotentRequest, answer: Answer): string {
  const kept: KeptAnswer = { fingerprint: request.fingerprint, answer };
  return cipher.encrypt(JSON.stringify(kept), placeOf(request));
}

/** JSON that was written, read and written again is the same to the byte. */
function replay(cipher: TextCipher, request: IdempotentRequest, sealed: string): Answer {
  const { fingerprint, answer } = JSON.parse(cipher.decrypt(sealed, placeOf(request))) as KeptAnswer;
  if (fingerprint !== request.fingerprint) throw reused();
  return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
}

function placeOf({ tenantId, key }: IdempotencyKey): SealedPlace {
  return keptAnswer(tenantId, idempotencyKeyHash(key));
}

/** Waits between looks, growing and uneven so that twins do not look in step, as long as the time lasts. */
function* pollTimes(totalMs: number): Generator<number> {
  const endsAt = performance.now() + totalMs;
  for (let polls = 0; performance.now() < endsAt; polls += 1) {
    const wait = growingPause(polls, POLL_MS) * (0.75 + Math.random() / 2);
    yield Math.min(wait, Math.max(endsAt - performance.now(), 0));
  }
}

function reused(): ServiceError {
  return new ServiceError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Take a new key for a new request.',
  );
}

function inProgress(): ServiceError {
  return new ServiceError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still running. Send this one again to get its answer.',
  );
}

/**
 * A transaction that begins when it is first used and stays open until `commit` or `rollback`: a request holds no
 * connection while it reads, or looks up a receiver's name, before it writes.
 * @param begin runs first; the transaction is not usable when it throws
 */
function lazyTransaction(write: ClinicDatabase['write'], begin: (em: EntityManager) => Promise<void>) {
  const { promise: ending, resolve: end } = Promise.withResolvers<
    ((em: EntityManager) => Promise<void>) | null
  >();
  let begun: { em: Promise<EntityManager>; ended: Promise<void> } | null = null;

  function beginOnce() {
    if (begun) return begun;
    const { promise: em, resolve, reject } = Promise.withResolvers<EntityManager>();
    const ended = write(async (opened) => {
      await begin(opened);
      resolve(opened);
      const last = await ending;
      if (!last) throw new RolledBack();
      await last(opened);
    });
    ended.catch(reject);
    em.catch(leaveToTheUser);
    begun = { em, ended };
    return begun;
  }

  return {
    /** The transaction, begun at the first call. */
    use: () => beginOnce().em,
    /** Does the last work in it, beginning it if need be, and commits. */
    async commit<T>(last: (em: EntityManager) => Promise<T>): Promise<T> {
      const { promise: result, resolve } = Promise.withResolvers<T>();
      end(async (em) => resolve(await last(em)));
      await beginOnce().ended;
      return result;
    },
    /** Rolls back what was begun. */
    async rollback() {
      end(null);
      await begun?.ended.catch(leaveToTheUser);
    },
  };
}

class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

/** What went wrong reaches whoever uses or commits the transaction; here it would be said twice. */
function leaveToTheUser(): void {}
