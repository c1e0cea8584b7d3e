import type { Logger } from '../adapters/logs/logger.ts';
import { pause } from '../adapters/timing/pause.ts';

const LOOK_EVERY_MS = 5000;
/** A clinic that changes its settings now waits for these at most. */
const CLINICS_AT_ONCE = 1000;

interface Watch {
  logger: Logger;
  /** The log event when the database is unavailable. */
  onFailure: string;
  /** Each does its work for the next clinic, and returns false when none is due. */
  steps: readonly (() => Promise<boolean>)[];
}

/** Does what is due for each clinic, again and again, until `signal`. Any number of workers may do so. */
export async function watch({ logger, onFailure, steps }: Watch, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      for (const step of steps) await untilNoneIsDue(step, signal);
    } catch (error) {
      logger.warn({ err: error }, onFailure);
    }
    await pause(LOOK_EVERY_MS, signal);
  }
}

async function untilNoneIsDue(next: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (let clinics = 0; clinics < CLINICS_AT_ONCE && !signal.aborted; clinics += 1) {
    const isFound = await next();
    if (!isFound) return;
  }
}
