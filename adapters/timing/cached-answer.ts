import { setTimeout as delay } from 'node:timers/promises';

export interface CacheTimes {
  /** The longest wait for an answer. An answer that comes later is used for later calls. */
  deadlineMs: number;
  /** How long an answer stays fresh, from the time of the question. */
  freshMs: number;
  /** The longest wait when there is an earlier answer; after it the earlier answer is returned again. */
  patienceMs?: number;
  /** After a slow question, the cache waits this many times its duration before it asks again; 0 by default. */
  restFactor?: number;
}

interface Asked<T> {
  answer: Promise<T | null>;
  /** When the answer becomes stale; Infinity while there is no answer yet. */
  staleAt: number;
}

/**
 * A cache that asks only when its answer is stale, and never twice at the same time, so that a hanging part gets no
 * further load. The answer is null when the question fails or takes too long.
 */
export function createCachedAnswer<T>(ask: () => Promise<T>, times: CacheTimes): () => Promise<T | null> {
  const { patienceMs } = times;
  let latest: Asked<T> | null = null;
  let earlier: Promise<T | null> | null = null;
  return () => {
    if (!latest || performance.now() >= latest.staleAt) {
      earlier = latest?.answer ?? null;
      latest = begin(ask, times);
    }
    const { answer } = latest;
    if (earlier === null || patienceMs === undefined) return answer;
    return Promise.race([answer, delay(patienceMs, earlier, { ref: false })]);
  };
}

function begin<T>(ask: () => Promise<T>, { deadlineMs, freshMs, restFactor = 0 }: CacheTimes): Asked<T> {
  const beganAt = performance.now();
  const question = ask().catch(() => null);
  const asked: Asked<T> = {
    answer: Promise.race([question, delay(deadlineMs, null, { ref: false })]),
    staleAt: Infinity,
  };
  void question.finally(() => {
    const endedAt = performance.now();
    asked.answer = question;
    asked.staleAt = Math.max(beganAt + freshMs, endedAt + restFactor * (endedAt - beganAt));
  });
  return asked;
}

/** Whether a part can be used now; never throws. */
export type Probe = () => Promise<boolean>;

/** The times of a probe. The deadline is less than the one second that orchestrators allow by default. */
const TIMES = { deadlineMs: 800, freshMs: 1000 };

/** Asks at most once a second. No answer within the deadline counts as unavailable. */
export function createCachedProbe(probe: Probe): Probe {
  const ask = createCachedAnswer(probe, TIMES);
  return async () => (await ask()) ?? false;
}
