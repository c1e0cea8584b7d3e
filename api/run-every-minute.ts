import type { Logger } from '../adapters/logger.ts';

const EVERY_MS = 60_000;

/** Runs `work` once a minute, never twice at once; disposing waits for the round under way. A failure is logged as `failed`. */
export function runEveryMinute(work: () => Promise<void>, failed: string, logger: Logger): AsyncDisposable {
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(work).catch((error: unknown) => logger.warn({ err: error }, failed));
  }, EVERY_MS);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await round;
    },
  };
}
