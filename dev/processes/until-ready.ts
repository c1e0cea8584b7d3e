import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const READY_LIMIT_MS = 60_000;
const PROBE_EVERY_MS = 50;

/** Repeats `probe` until it succeeds; gives up when the process ends or after a minute. */
export async function untilProbeSucceeds(child: ChildProcess, probe: () => Promise<void>): Promise<void> {
  const ended = untilEnded(child);
  const deadline = Date.now() + READY_LIMIT_MS;
  for (;;) {
    try {
      return await Promise.race([probe(), ended]);
    } catch (error) {
      if (hasEnded(child) || Date.now() > deadline) throw error;
      await delay(PROBE_EVERY_MS);
    }
  }
}

/** Waits for the IPC message `{ type: 'ready' }`; a minute at most. */
export async function untilReadyMessage(child: ChildProcess): Promise<void> {
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  child.on('message', (message) => {
    if (typeof message === 'object' && 'type' in message && message.type === 'ready') resolve();
  });
  const late = setTimeout(
    reject,
    READY_LIMIT_MS,
    new Error(`not ready after ${READY_LIMIT_MS / 1000} seconds`),
  );
  await Promise.race([ready, untilEnded(child)]).finally(() => clearTimeout(late));
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}

/** Rejects when the process ends; never resolves. */
async function untilEnded(child: ChildProcess): Promise<never> {
  if (!hasEnded(child)) await once(child, 'exit');
  throw new Error(`ended with ${child.signalCode ?? `status ${child.exitCode}`}`);
}
