import { setTimeout as delay } from 'node:timers/promises';

export interface Steadiness {
  /** What says nothing for so long is not there. */
  deadlineMs: number;
  /** How long an answer is good for. */
  freshMs: number;
}

interface Asked<T> {
  answer: Promise<T | null>;
  isOver: boolean;
  staleAt: number;
}

/**
 * Asks no more often than answers go stale, however many want to know, and never again while a question is still open: a
 * part that hangs is not made to hang more. Null when the question fails or has no answer in time.
 */
export function createSteadyAnswer<T>(ask: () => Promise<T>, times: Steadiness): () => Promise<T | null> {
  let latest: Asked<T> | null = null;
  return () => {
    if (!latest || (latest.isOver && performance.now() >= latest.staleAt)) latest = begin(ask, times);
    return latest.answer;
  };
}

function begin<T>(ask: () => Promise<T>, { deadlineMs, freshMs }: Steadiness): Asked<T> {
  const question = ask().catch(() => null);
  const asked: Asked<T> = {
    answer: Promise.race([
      question.finally(() => (asked.isOver = true)),
      delay(deadlineMs, null, { ref: false }),
    ]),
    isOver: false,
    staleAt: performance.now() + freshMs,
  };
  return asked;
}
