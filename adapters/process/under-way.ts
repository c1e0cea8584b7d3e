import { setTimeout as delay } from 'node:timers/promises';

/** What a server has begun to answer, also where nobody waits for the answer any more: it may still be at the database. */
export class UnderWay {
  readonly #answers = new Set<Promise<void>>();

  add(answer: Promise<void>): void {
    const ended = answer.finally(() => this.#answers.delete(ended));
    this.#answers.add(ended);
  }

  /** Resolves when all of them have ended, or after `patienceMs`. */
  async ended(patienceMs: number): Promise<void> {
    const impatience = new AbortController();
    await Promise.race([
      Promise.allSettled(this.#answers).then(() => impatience.abort()),
      delay(patienceMs, undefined, { signal: impatience.signal }).catch(() => undefined),
    ]);
  }
}
