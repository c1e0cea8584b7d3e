import { pause } from '../timing/pause.ts';

/** Requests that a server is handling, also after the client disconnected: they may still use the database. */
export class InFlight {
  readonly #answers = new Set<Promise<void>>();

  add(answer: Promise<void>): void {
    const ended = answer.finally(() => this.#answers.delete(ended));
    this.#answers.add(ended);
  }

  /** Resolves when all requests have ended, or after `patienceMs`. */
  async ended(patienceMs: number): Promise<void> {
    const allEnded = new AbortController();
    void Promise.allSettled(this.#answers).then(() => allEnded.abort());
    await pause(patienceMs, allEnded.signal);
  }
}
