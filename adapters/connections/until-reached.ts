import type { Logger } from '../logs/logger.ts';
import { backoffDelay, pause, WHILE_AWAY } from '../timing/pause.ts';

/**
 * Repeats `reach` until it succeeds, and logs what is unavailable; gives up when `signal` aborts, with the last failure
 * after a timeout.
 */
export async function untilReached<T>(
  name: string,
  reach: () => Promise<T>,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await reach();
    } catch (error) {
      logger.warn({ err: error, reason: error instanceof Error ? error.name : 'unknown' }, `${name}.away`);
      await pause(backoffDelay(failures, WHILE_AWAY), signal);
      if (signal.aborted) throw isTimeLimit(signal) ? error : signal.reason;
    }
  }
}

/** `AbortSignal.timeout` */
function isTimeLimit({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
