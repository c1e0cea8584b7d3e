import { pause } from '../timing/pause.ts';

/** What a server has begun to answer, also where no one waits for the answer any more: it may still be at the database. */
export class InFlight {
  readonly #answers = new Set<Promise<void>>();

  add(answer: Promise<void>): void {
    const ended = answer.finally(() => this.#answers.delete(ended));
    this.#answers.add(ended);
  }

  /** Resolves when all of them have ended, or after `patienceMs`. */
  async ended(patienceMs: number): Promise<void> {
    const allEnded = new AbortController();
    void Promise.allSettled(this.#answers).then(() => allEnded.abort());
    await pause(patienceMs, allEnded.signal);
  }
}
