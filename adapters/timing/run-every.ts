import type { Logger } from '../logs/logger.ts';

export const MINUTE_MS = 60_000;

/** Runs `work` repeatedly, never in parallel; disposing waits for the current run. Failures are logged as `failed`. */
export function runEvery(ms: number, work: () => Promise<void>, failed: string, logger: Logger) {
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(work).catch((error: unknown) => logger.warn({ err: error }, failed));
  }, ms);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await round;
    },
  };
}
