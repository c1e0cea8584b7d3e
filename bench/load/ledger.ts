import { monotonicMs } from '../monotonic.ts';
import type { Arrival, Receiver } from '../receiver/start-receiver.ts';
import { patiently } from '../until.ts';
import type { Cause } from './caller.ts';

const LOOK_EVERY_MS = 50;

/** What was asked of the service, and what of it arrived at a receiver. */
export class Ledger {
  /** When each change was due to be asked for, by the monotonic clock. */
  readonly #asked = new Map<string, number>();
  readonly #arrivals = new Map<string, number>();
  readonly #eventIds = new Set<string>();
  readonly #receiver: Receiver;
  /** Requests to deliver beyond the first of each event. */
  #twice = 0;
  failedRequests = 0;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  /** Sends a request; its event counts from `dueAt`, also when the load was late with sending. */
  async ask(cause: Cause, dueAt: number): Promise<void> {
    const change = await cause();
    if (change === null) this.failedRequests += 1;
    else this.#asked.set(change, dueAt);
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

  #note({ change, at, eventId }: Arrival): void {
    if (change === null) return;
    if (this.#eventIds.has(eventId)) this.#twice += 1;
    this.#eventIds.add(eventId);
    if (!this.#arrivals.has(change)) this.#arrivals.set(change, at);
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
    return [...this.#asked].map(([change, dueAt]) => (this.#arrivals.get(change) ?? now) - dueAt);
  }

  lastArrivalAt(): number {
    return Math.max(...this.#arrivals.values());
  }

  eventIds(): string[] {
    return [...this.#eventIds];
  }

  changes(): string[] {
    return [...this.#asked.keys()];
  }

  /** What every measurement must tell. */
  losses(): { lost: number; twice: number; 'failed requests': number } {
    return { lost: this.missing(), twice: this.#twice, 'failed requests': this.failedRequests };
  }
}
