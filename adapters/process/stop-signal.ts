/**
 * The time in which a second signal is ignored: npm and the terminal both pass Ctrl-C on, so one key press arrives
 * twice within a tenth of a second.
 */
const PATIENCE_MS = 3_000;

/**
 * Aborts when this process should stop: on SIGINT, SIGTERM, SIGHUP (given as the reason) or when its IPC parent ends. A
 * second signal, seconds later, exits at once with code 1.
 */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  let askedAt: number | null = null;
  const ask = (reason: string) => {
    askedAt ??= performance.now();
    if (performance.now() - askedAt > PATIENCE_MS) process.exit(1);
    stopping.abort(reason);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  process.once('disconnect', () => stopping.abort('parent gone'));
  return stopping.signal;
}

/** Resolves at once when the signal has already aborted. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
