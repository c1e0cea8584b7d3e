import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logs/logger.ts';
import { stopSignal, untilAborted } from './stop-signal.ts';

/** In so long a proxy or an orchestrator has learned that nothing is to be sent here any more. */
const LEAVE_MS = 5000;

export interface Running extends AsyncDisposable {
  /** Tells those who send it work to send it elsewhere, and gives them the time to. */
  leave?(): Promise<void>;
}

/** The life of a process: start, tell the parent `{ type: 'ready' }`, wait to be told to stop, close in order. */
export async function runUntilStopped(logger: Logger, start: (stopping: AbortSignal) => Promise<Running>) {
  const stopping = stopSignal();
  try {
    await using running = await start(stopping);
    process.send?.({ type: 'ready' });
    await untilAborted(stopping);
    logger.info({ reason: stopping.reason }, 'process.stopping');
    if (mayHaveProxy(stopping.reason)) await running.leave?.();
  } catch (error) {
    if (!stopping.aborted) failProcess(error, 'process.failed', logger);
  }
  // The channel would keep the process alive.
  if (process.connected) process.disconnect();
}

/** What a process that answers requests does before it closes: it says that it ends, and serves what still comes. */
export async function leave(leaving: AbortController): Promise<void> {
  leaving.abort();
  await delay(LEAVE_MS);
}

/** The log has no messages of errors; anyone who starts a process reads them on stderr. */
export function failProcess(error: unknown, event: string, logger: Logger): void {
  process.stderr.write(`${error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error'}\n`);
  logger.fatal({ err: error }, event);
  process.exitCode = 1;
}

/** A person ends a process by Ctrl-C, and a launcher those that serve its own machine alone. */
function mayHaveProxy(reason: unknown): boolean {
  return reason === 'SIGTERM' && !process.connected;
}
