import { growingPause, pause, WHILE_AWAY } from '../../adapters/timing/pause.ts';

/** Keeps a loop from running its whole backlog against a Temporal that is away. */
export interface Outage {
  noticed(): void;
  over(): void;
  /** Returns at once unless an outage lasts; then after a pause that grows while it does, or at `signal`. */
  pause(signal: AbortSignal): Promise<void>;
}

export function createOutage(): Outage {
  let until = 0;
  let failures = 0;
  return {
    noticed() {
      // Calls that were under way together fail together, and count once.
      if (Date.now() < until) return;
      until = Date.now() + growingPause(failures, WHILE_AWAY);
      failures += 1;
    },
    over() {
      until = 0;
      failures = 0;
    },
    async pause(signal) {
      const leftMs = until - Date.now();
      if (leftMs > 0) await pause(leftMs, signal);
    },
  };
}
