import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const PROBE_EVERY_MS = 50;

/** Repeats `probe` until it succeeds; gives up when the process ends or the time limit passes. */
export async function untilProbeSucceeds(
  child: ChildProcess,
  limitMs: number,
  probe: () => Promise<void>,
): Promise<void> {
  const ended = untilEnded(child);
  const deadline = Date.now() + limitMs;
  for (;;) {
    try {
      return await Promise.race([probe(), ended]);
    } catch (error) {
      if (hasEnded(child) || Date.now() > deadline) throw error;
      await delay(PROBE_EVERY_MS);
    }
  }
}

/** Waits for the message `{ type: 'ready' }` that a service sends over its IPC channel once it serves. */
export async function untilReadyMessage(child: ChildProcess, limitMs: number): Promise<void> {
  const abort = new AbortController();
  const ready = new Promise<void>((resolve) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && 'type' in message && message.type === 'ready') resolve();
    });
  });
  const late = delay(limitMs, undefined, { signal: abort.signal }).then(() => {
    throw new Error(`not ready after ${limitMs / 1000} seconds`);
  });
  try {
    await Promise.race([ready, untilEnded(child), late]);
  } finally {
    abort.abort();
    // The abandoned timer rejects with an AbortError that nobody waits for.
    late.catch(() => undefined);
  }
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}

/** Rejects when the process ends; never resolves. */
async function untilEnded(child: ChildProcess): Promise<never> {
  if (!hasEnded(child)) await once(child, 'exit');
  throw new Error(`ended with ${child.signalCode ?? `status ${child.exitCode}`}`);
}
