import type { Receiver } from '../receiver/start-receiver.ts';
import { patiently } from '../until.ts';

const LOOK_EVERY_MS = 1000;

interface Attempts {
  path: string;
  firstAt: number;
  secondAt: number | null;
}

/** First and second attempts at a receiver that answers first ones with an error. */
export class Retries {
  readonly #attempts = new Map<string, Attempts>();
  readonly #receiver: Receiver;
  readonly #delayMs: number;

  /** @param delayMs from the first attempt to the time at which the second is due */
  constructor(receiver: Receiver, delayMs: number) {
    this.#receiver = receiver;
    this.#delayMs = delayMs;
  }

  /** Takes what has arrived; how many events have come to the path. */
  async look(path: string): Promise<number> {
    for (const arrival of await this.#receiver.take()) {
      const known = this.#attempts.get(arrival.eventId);
      if (known) known.secondAt ??= arrival.at;
      else this.#attempts.set(arrival.eventId, { path: arrival.path, firstAt: arrival.at, secondAt: null });
    }
    return this.#of(path).length;
  }

  /** Returns when so many events have come to the path a second time, or after the time limit. */
  async untilMade(path: string, count: number, limitMs: number): Promise<void> {
    const areMade = async () => (await this.look(path)) >= count && this.#secondOf(path).length >= count;
    await patiently(areMade, limitMs, LOOK_EVERY_MS);
  }

  /** When the path's second attempts become due, by the monotonic clock. */
  dueAt(path: string): { first: number; last: number } {
    const due = this.#of(path).map(({ firstAt }) => firstAt + this.#delayMs);
    return { first: Math.min(...due), last: Math.max(...due) };
  }

  /** How late each of the path's second attempts came, and when the last of them. */
  made(path: string): { latenessMs: number[]; lastAt: number } {
    const made = this.#secondOf(path);
    return {
      latenessMs: made.map(({ firstAt, secondAt }) => secondAt - firstAt - this.#delayMs),
      lastAt: Math.max(...made.map(({ secondAt }) => secondAt)),
    };
  }

  #of(path: string): Attempts[] {
    return [...this.#attempts.values()].filter((each) => each.path === path);
  }

  #secondOf(path: string): { firstAt: number; secondAt: number }[] {
    return this.#of(path).flatMap(({ firstAt, secondAt }) =>
      secondAt === null ? [] : { firstAt, secondAt },
    );
  }
}
