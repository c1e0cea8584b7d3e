import { monotonicMs } from '../monotonic.ts';
import type { Arrival, Receiver } from '../receiver/start-receiver.ts';
import { patiently } from '../until.ts';
import type { Cause } from './caller.ts';

const LOOK_EVERY_MS = 50;

/** What was asked of the service, and what of it arrived at a receiver. */
export class Ledger {
  /** When each change was due to be asked for, by the monotonic clock. */
  readonly #asked = new Map<string, number>();
  readonly #arrivals = new Map<string, { at: number; times: number }>();
  readonly #receiver: Receiver;
  readonly #path: string | undefined;
  failedRequests = 0;

  /** @param path where it has to arrive; anywhere, when not said */
  constructor(receiver: Receiver, path?: string) {
    this.#receiver = receiver;
    this.#path = path;
  }

  /** Sends a request; its event counts from `dueAt`, also when the load was late with sending. */
  async ask(cause: Cause, dueAt: number): Promise<void> {
    const change = await cause();
    if (change === null) return void (this.failedRequests += 1);
    this.#asked.set(change, dueAt);
    this.#receiver.expect(change);
    return undefined;
  }

  /** Returns when everything that was acknowledged has arrived, or after the time limit. */
  async untilArrived(limitMs: number): Promise<void> {
    await patiently(
      async () => {
        for (const arrival of await this.#receiver.take()) this.#note(arrival);
        return this.missing() === 0;
      },
      limitMs,
      LOOK_EVERY_MS,
    );
  }

  #note({ change, at, path }: Arrival): void {
    if (change === null || path !== (this.#path ?? path)) return;
    const known = this.#arrivals.get(change);
    if (known === undefined) this.#arrivals.set(change, { at, times: 1 });
    else known.times += 1;
  }

  get asked(): number {
    return this.#asked.size;
  }

  missing(): number {
    let count = 0;
    for (const change of this.#asked.keys()) if (!this.#arrivals.has(change)) count += 1;
    return count;
  }

  /** From the time a request was due to its event's last byte; what is missing counts until now. */
  latenciesMs(): number[] {
    const now = monotonicMs();
    return [...this.#asked].map(([change, dueAt]) => (this.#arrivals.get(change)?.at ?? now) - dueAt);
  }

  /** Each change with when it was due to be asked for, by the monotonic clock. */
  askedAt(): [change: string, dueAt: number][] {
    return [...this.#asked];
  }

  lastArrivalAt(): number {
    return Math.max(...this.#ofAsked().map(({ at }) => at));
  }

  #ofAsked() {
    return [...this.#asked.keys()].flatMap((change) => this.#arrivals.get(change) ?? []);
  }

  /** What every measurement must tell: what has not arrived so far, and requests beyond the first of an event. */
  losses(): { missing: number; twice: number; 'failed requests': number } {
    const twice = this.#ofAsked().reduce((sum, { times }) => sum + times - 1, 0);
    return { missing: this.missing(), twice, 'failed requests': this.failedRequests };
  }
}
