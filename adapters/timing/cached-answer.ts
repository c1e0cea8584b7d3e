import { setTimeout as delay } from 'node:timers/promises';

export interface CacheTimes {
  /** No one waits longer for an answer; one that comes later is good for those who ask then. */
  deadlineMs: number;
  /** How long after the question its answer is good. */
  freshMs: number;
  /** No one waits longer either when there is an earlier answer, which is then given once more. */
  patienceMs?: number;
  /** A question that takes long is not asked again for so many times as long; 0 by default. */
  restFactor?: number;
}

interface Asked<T> {
  answer: Promise<T | null>;
  /** Never, while the question is open. */
  staleAt: number;
}

/**
 * Asks no more often than answers go stale, however many want to know, and never again while a question is still open: a
 * part that hangs is not made to hang more. Null when the question fails or has no answer in time.
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

/** Says whether a part can be used now; never throws. */
export type Probe = () => Promise<boolean>;

/** The deadline is less than the second that an orchestrator gives a probe by default. */
const TIMES = { deadlineMs: 800, freshMs: 1000 };

/** Asks at most once a second. What says nothing within its deadline is not there. */
export function createCachedProbe(probe: Probe): Probe {
  const ask = createCachedAnswer(probe, TIMES);
  return async () => (await ask()) ?? false;
}
