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

/** A running twin is waited for this long: docs/idempotency.md#a-repeat */
const MAX_WAIT_MS = 5000;
const POLL_MS = { first: 20, longest: 250, factor: 1.5 };

export interface Through<Answer> extends Pick<ClinicDatabase, 'read' | 'write'> {
  /** Answers the request in a batch, if it can; its answer is then kept in the transaction of the batch. */
  together: Together<Answer>;
}

export interface Performance<Answer> {
  /** All writes go through `write`, in one transaction that begins with the first of them; from then on `read` reads in it. */
  perform: (through: Through<Answer>) => Promise<Answer>;
  /** How a refusal by `perform` is answered, and so kept. Null: it is thrown, and the same request may fare better later. */
  refuse: (error: ServiceError) => Answer | null;
  /** `passing`: the same request is to be carried out again. */
  whatBecomesOf: (answer: Answer) => 'kept' | 'passing';
}

export interface Performed<Answer> {
  answer: Answer;
  isReplayed: boolean;
}

/**
 * Performs a request once per key and clinic, and answers its twins with the same. Answer and work commit together; a crash
 * leaves neither. Between two looks at a running twin no connection is held.
 * Errors: `idempotency_key_reused`, `idempotency_in_progress`.
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
 * The key is looked for before the first write, or before an answer without one is given, and claimed with it. Null when a
 * twin came first.
 */
async function performUnlessTwin<Answer>(
  { database, lookFor }: { database: Database; lookFor: LookFor },
  request: IdempotentRequest,
  { perform, refuse, whatBecomesOf }: Performance<Answer>,
): Promise<Performed<Answer> | null> {
  const clinic = database.ofClinic(request.tenantId);
  let isLookedFor = false;
  // What was answered before is answered again, whatever is in the way now.
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

/** A request that has begun to write asks for no second connection: many of them at once would wait for each other. */
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

/** Ends a performance that would be the second one. */
class TwinCameFirst extends Error {
  override readonly name = 'TwinCameFirst';
}

function yieldToTwin({ state }: IdempotencyClaim): void {
  if (state !== 'claimed') throw new TwinCameFirst();
}

/** Waits between looks, growing and uneven so that twins do not look in step, as long as the time lasts. */
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
    'A request with this Idempotency-Key is still in progress. Repeat this one to get its answer.',
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
    /** The same if it has begun; null before. */
    begun: () => begun?.em ?? null,
    /** Does the last work in it, beginning it if need be, and commits. */
    commit(last: (em: EntityManager) => Promise<void>): Promise<void> {
      end(last);
      return beginOnce().ended;
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

/** What went wrong reaches anyone who uses or commits the transaction; here it would be said twice. */
function leaveToTheUser(): void {}
