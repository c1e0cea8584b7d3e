import type { Logger } from './logger.ts';
import { stopSignal, untilAborted } from './stop-signal.ts';

/** The life of a process: start, tell the parent `{ type: 'ready' }`, wait to be told to stop, close in order. */
export async function runUntilStopped(logger: Logger, start: () => Promise<AsyncDisposable>): Promise<void> {
  const stopping = stopSignal();
  try {
    await using _running = await start();
    process.send?.({ type: 'ready' });
    await untilAborted(stopping);
    logger.info({ reason: stopping.reason }, 'process.stopping');
  } catch (error) {
    logger.fatal({ err: error }, 'process.failed');
    process.exitCode = 1;
  }
  // The channel would keep the process alive.
  if (process.connected) process.disconnect();
}
