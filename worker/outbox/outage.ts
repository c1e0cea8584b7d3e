import { setTimeout as delay } from 'node:timers/promises';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** Keeps a loop from running its whole backlog against a Temporal that is away. */
export interface Outage {
  noticed(): void;
  over(): void;
  /** Returns at once unless an outage lasts; then after a pause that grows while it does, or at `signal`. */
  pause(signal: AbortSignal): Promise<void>;
}

export function createOutage(): Outage {
  let until = 0;
  let nextPauseMs = FIRST_PAUSE_MS;
  return {
    noticed() {
      // Calls that were under way together fail together, and count once.
      if (Date.now() < until) return;
      until = Date.now() + nextPauseMs;
      nextPauseMs = Math.min(nextPauseMs * 2, LONGEST_PAUSE_MS);
    },
    over() {
      until = 0;
      nextPauseMs = FIRST_PAUSE_MS;
    },
    async pause(signal) {
      const leftMs = until - Date.now();
      // Stopping ends the pause early.
      if (leftMs > 0) await delay(leftMs, undefined, { signal }).catch(() => undefined);
    },
  };
}
