import { growingPause, pause, WHILE_AWAY } from '../../adapters/timing/pause.ts';

/** Keeps a loop from running its whole backlog against a Temporal that is away. */
export class Outage {
  #until = 0;
  #failures = 0;

  noticed(): void {
    // Calls that were under way together fail together, and count once.
    if (Date.now() < this.#until) return;
    this.#until = Date.now() + growingPause(this.#failures, WHILE_AWAY);
    this.#failures += 1;
  }

  over(): void {
    this.#until = 0;
    this.#failures = 0;
  }

  /** Returns at once unless an outage lasts; then after a pause that grows while it does, or at `signal`. */
  async pause(signal: AbortSignal): Promise<void> {
    const leftMs = this.#until - Date.now();
    if (leftMs > 0) await pause(leftMs, signal);
  }
}
