import type { Logger } from './logger.ts';

/**
 * The life of a process: start, tell the parent `{ type: 'ready' }`, wait to be told to stop, close in order.
 * SIGTERM, SIGINT and the end of the parent's IPC channel stop it; a second signal ends it at once.
 */
export async function runUntilStopped(logger: Logger, start: () => Promise<AsyncDisposable>): Promise<void> {
  const stop = stopRequest();
  try {
    await using _running = await start();
    process.send?.({ type: 'ready' });
    logger.info({ reason: await stop }, 'process.stopping');
  } catch (error) {
    logger.fatal({ err: error }, 'process.failed');
    process.exitCode = 1;
  }
  // The channel would keep the process alive.
  if (process.connected) process.disconnect();
}

function stopRequest(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  process.once('disconnect', () => resolve('parent gone'));
  return promise;
}
