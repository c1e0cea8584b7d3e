import { setTimeout as delay } from 'node:timers/promises';
import { backoffDelay } from '../../adapters/timing/pause.ts';
import {
  claimIdempotencyKey,
  claimIdempotencyKeys,
  type IdempotencyClaim,
  type IdempotencyKey,
} from '../../db/requests/idempotency-records.ts';
import type { ClinicDatabase, Database, EntityManager } from '../../db/connection/open-database.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Together } from './batch-requests.ts';
import { storeAnswers, openAnswer, type IdempotentRequest } from './stored-answers.ts';

/** How long a repeat waits for the running request: docs/idempotency.md#a-repeat */
const MAX_WAIT_MS = 5000;
const POLL_MS = { first: 20, longest: 250, factor: 1.5 };

export interface Through<Answer> extends Pick<ClinicDatabase, 'read' | 'write'> {
  /** Answers the request in a batch if possible; the batch's transaction stores the answer. */
  together: Together<Answer>;
}

export interface Performance<Answer> {
  /**
   * Handles the request. All writes must use `write`; they share one transaction, which starts with the first write.
   * From then on, `read` uses it too.
   */
  perform: (through: Through<Answer>) => Promise<Answer>;
  /**
   * Converts an error thrown by `perform` into a response that is stored. Null: the error is thrown, because the same
   * request may succeed later.
   */
  refuse: (error: ServiceError) => Answer | null;
  /** Whether a response is stored (`kept`) or a repeat runs again (`passing`). */
  whatBecomesOf: (answer: Answer) => 'kept' | 'passing';
}

export interface Performed<Answer> {
  answer: Answer;
  isReplayed: boolean;
}

/**
 * Handles a request once per key and clinic, and gives repeats the same answer. Answer and work commit together; a
 * crash leaves neither. While it waits for a running request, it holds no connection. Errors: `idempotency_key_reused`,
 * `idempotency_in_progress`.
 */
export function createPerformOnce<Answer>(database: Database, longestWaitMs = MAX_WAIT_MS) {
  const lookFor = database.batcher('idempotency', (keys: readonly IdempotencyKey[]) =>
    database.ofClinics(keys.map(({ tenantId }) => tenantId)).read((em) => claimIdempotencyKeys(em, keys)),
  );
  return async (request: IdempotentRequest, performance: Performance<Answer>): Promise<Performed<Answer>> => {
    const cipher = await database.ciphers.of(request.tenantId);
    const waiting = pollTimes(longestWaitMs);
    for (;;) {
      const performed = await performUnlessTwin({ database, lookFor }, request, performance);
      if (performed) return performed;
      for (;;) {
        const claim = await lookFor(request);
        if (claim.state === 'found')
          return { answer: openAnswer(cipher, request, claim.sealed), isReplayed: true };
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
 * Claims the key before the first write, or before the response if nothing is written. Null if an identical request
 * claimed it first.
 */
async function performUnlessTwin<Answer>(
  { database, lookFor }: { database: Database; lookFor: LookFor },
  request: IdempotentRequest,
  { perform, refuse, whatBecomesOf }: Performance<Answer>,
): Promise<Performed<Answer> | null> {
  const clinic = database.ofClinic(request.tenantId);
  let isLookedFor = false;
  // A stored response is repeated, whatever has changed since then.
  const look = async () => {
    if (isLookedFor) return;
    isLookedFor = true;
    yieldToTwin(await lookFor(request));
  };
  const transaction = lazyTransaction(
    (...given) => look().then(() => clinic.write(...given)),
    async (em) => yieldToTwin(await claimIdempotencyKey(em, request)),
  );
  let isKept = false;
  const together = togetherUnder<Answer>(request, () => (isKept = true));
  try {
    const through = { ...throughOne(transaction, clinic), together };
    const answer = await perform(through).catch(async (error: unknown) => {
      const refusal = error instanceof ServiceError ? refuse(error) : null;
      if (refusal !== null) return refusal;
      await look();
      throw error;
    });
    const isPassing = !isKept && whatBecomesOf(answer) === 'passing';
    if (isPassing) await look();
    const kept = isKept || isPassing ? [] : [{ request, answer }];
    if (kept.length > 0 || transaction.begun()) await transaction.commit((em) => storeAnswers(em, kept));
    return { answer, isReplayed: false };
  } catch (error) {
    await transaction.rollback();
    if (error instanceof TwinCameFirst) return null;
    throw error;
  }
}

function togetherUnder<Answer>(request: IdempotentRequest, onKept: () => void): Together<Answer> {
  return async (batch, item) => {
    const outcome = await batch(item, request);
    if (outcome === null) throw new TwinCameFirst();
    if ('answer' in outcome) onKept();
    return outcome;
  };
}

/**
 * Makes reads use the transaction once it has started. If each request needed a second connection, many requests
 * together would deadlock.
 */
function throughOne(
  transaction: ReturnType<typeof lazyTransaction>,
  clinic: ClinicDatabase,
): Pick<ClinicDatabase, 'read' | 'write'> {
  return {
    read: async (work) => {
      const begun = transaction.begun();
      return begun ? work((await begun).fork({ keepTransactionContext: true })) : clinic.read(work);
    },
    write: async (work, { writesOnce = false } = {}) => {
      const em = await transaction.use();
      return writesOnce ? work(em) : em.transactional(work);
    },
  };
}

/** Thrown to stop a request when an identical request was first. */
class TwinCameFirst extends Error {
  override readonly name = 'TwinCameFirst';
}

function yieldToTwin({ state }: IdempotencyClaim): void {
  if (state !== 'claimed') throw new TwinCameFirst();
}

/** Growing, random pauses, so that waiting repeats do not run in step, within the total time. */
function* pollTimes(totalMs: number): Generator<number> {
  const endsAt = performance.now() + totalMs;
  for (let polls = 0; performance.now() < endsAt; polls += 1) {
    const wait = backoffDelay(polls, POLL_MS) * (0.75 + Math.random() / 2);
    yield Math.min(wait, Math.max(endsAt - performance.now(), 0));
  }
}

function inProgress(): ServiceError {
  return new ServiceError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still in progress. Repeat this request later to get the response.',
  );
}

/**
 * A transaction that starts at its first use and stays open until `commit` or `rollback`. The request holds no
 * connection while it reads, or resolves a receiver's name, before it writes.
 * @param begin runs first in the transaction, which cannot be used if `begin` throws
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
    /** The transaction, started at the first call. */
    use: () => beginOnce().em,
    /** The transaction if it has started; otherwise null. */
    begun: () => begun?.em ?? null,
    /** Runs the last work in it, starting it if needed, and commits. */
    commit(last: (em: EntityManager) => Promise<void>): Promise<void> {
      end(last);
      return beginOnce().ended;
    },
    /** Rolls back if it has started. */
    async rollback() {
      end(null);
      await begun?.ended.catch(leaveToTheUser);
    },
  };
}

class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

/** Ignores an error that the code using the transaction receives anyway. */
function leaveToTheUser(): void {}
