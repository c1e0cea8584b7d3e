import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logger.ts';
import { growingPause, WHILE_AWAY } from './pause.ts';

/** Repeats `reach` until it succeeds, saying each time what is away; gives up at `signal`. */
export async function untilReached<T>(
  name: string,
  reach: () => Promise<T>,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await reach();
    } catch (error) {
      signal.throwIfAborted();
      logger.warn({ err: error, reason: error instanceof Error ? error.name : 'unknown' }, `${name}.away`);
    }
    await delay(growingPause(failures, WHILE_AWAY), undefined, { signal });
  }
}
