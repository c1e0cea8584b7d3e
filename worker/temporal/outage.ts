import { untilReached } from '../../adapters/connections/until-reached.ts';
import type { Logger } from '../../adapters/logs/logger.ts';
import type { TemporalDoor } from './temporal-door.ts';
import { pause } from '../../adapters/timing/pause.ts';

/** An engine that is not away and takes no more for now gets a rest. */
const REST_MS = 1000;

export interface OutageOptions {
  temporal: Pick<TemporalDoor, 'opened'>;
  /** Rejects unless Temporal answers. */
  reachTemporal: () => Promise<void>;
  logger: Logger;
  /** The worker stops. */
  signal: AbortSignal;
}

/**
 * Of Temporal, as far as this worker can tell. Until it answers again nothing is claimed that needs it, and what is here already goes
 * back to the outbox: another worker may reach it.
 */
export class Outage {
  readonly #options: OutageOptions;
  #end: Promise<void> | null;

  /** Temporal counts as away until it was reached once. */
  constructor(options: OutageOptions) {
    this.#options = options;
    this.#end = this.#until(options.temporal.opened(options.signal));
  }

  /** A call has failed, as others would. */
  noticed(): void {
    this.#end ??= this.#until(this.#reached());
  }

  get lasts(): boolean {
    return this.#end !== null;
  }

  /** Returns at once unless an outage lasts; then at its end, or when the worker stops. */
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
    // It rejects when the worker stops.
    if (!signal.aborted) await untilReached('temporal', reachTemporal, this.#options).catch(() => undefined);
  }
}
