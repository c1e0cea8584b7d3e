import { untilReached } from '../../adapters/connections/until-reached.ts';
import type { Logger } from '../../adapters/logs/logger.ts';
import type { TemporalDoor } from './temporal-door.ts';
import { pause } from '../../adapters/timing/pause.ts';

/** The pause when Temporal is reachable but overloaded. */
const REST_MS = 1000;

export interface OutageOptions {
  temporal: Pick<TemporalDoor, 'opened'>;
  /** Rejects when Temporal does not answer. */
  reachTemporal: () => Promise<void>;
  logger: Logger;
  /** Aborts when the worker stops. */
  signal: AbortSignal;
}

/**
 * Whether this worker can reach Temporal. During an outage, rows that need Temporal are not claimed, and claimed rows
 * return to the outbox, where another worker may process them.
 */
export class Outage {
  readonly #options: OutageOptions;
  #end: Promise<void> | null;

  /** Temporal counts as unavailable until it was reached once. */
  constructor(options: OutageOptions) {
    this.#options = options;
    this.#end = this.#until(options.temporal.opened(options.signal));
  }

  /** Call this when a request failed in such a way that other requests would fail too. */
  noticed(): void {
    this.#end ??= this.#until(this.#reached());
  }

  get lasts(): boolean {
    return this.#end !== null;
  }

  /** Waits until the outage ends or the worker stops; returns at once if there is none. */
  async over(): Promise<void> {
    await this.#end;
  }

  async #until(end: Promise<unknown>): Promise<void> {
    await end;
    this.#end = null;
  }

  async #reached(): Promise<void> {
    const { reachTemporal, signal } = this.#options;
    await pause(REST_MS, signal);
    // Rejects when the worker stops.
    if (!signal.aborted) await untilReached('temporal', reachTemporal, this.#options).catch(() => undefined);
  }
}
