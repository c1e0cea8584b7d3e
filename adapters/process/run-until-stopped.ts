import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logs/logger.ts';
import { stopSignal, untilAborted } from './stop-signal.ts';

/** After this time proxies and orchestrators have noticed that this process is leaving. */
const LEAVE_MS = 5000;

export interface Running extends AsyncDisposable {
  /** Makes clients and proxies use other processes, and waits until they do. */
  leave?(): Promise<void>;
}

/**
 * Runs a process: starts it, sends `{ type: 'ready' }` to the parent, waits for the signal to stop, and closes
 * everything in order.
 */
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
  // The IPC channel would keep the process alive.
  if (process.connected) process.disconnect();
}

/** Drains a server before it closes: it reports unready, and serves requests that still arrive. */
export async function leave(leaving: AbortController): Promise<void> {
  leaving.abort();
  await delay(LEAVE_MS);
}

/** Logs the error without its message, and prints the message on stderr for the person who starts the process. */
export function failProcess(error: unknown, event: string, logger: Logger): void {
  process.stderr.write(`${error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error'}\n`);
  logger.fatal({ err: error }, event);
  process.exitCode = 1;
}

/**
 * Whether a proxy may send requests to this process. After Ctrl-C or a stop by the launcher there is none: the service
 * runs on this machine alone.
 */
function mayHaveProxy(reason: unknown): boolean {
  return reason === 'SIGTERM' && !process.connected;
}
