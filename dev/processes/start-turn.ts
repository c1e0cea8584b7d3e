import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LockHeldError, takeLock, type Lock } from './lock-file.ts';

const LOCK = join(tmpdir(), `clinic-start-${userInfo().username}.lock`);
const LOOK_EVERY_MS = 100;

/**
 * How long a start waits for the one before it. A start takes seconds, unless it downloads something; then the next one
 * runs in parallel.
 */
const PATIENCE_MS = 60_000;

/**
 * Launchers that start at the same time would find the same ports free, and one would use the other's PostgreSQL and
 * Temporal. So they choose and take their ports one after the other.
 */
export async function inTurn<T>(stopping: AbortSignal, start: () => Promise<T>): Promise<T> {
  const turn = await takeTurn(stopping);
  try {
    return await start();
  } finally {
    turn?.release();
  }
}

async function takeTurn(stopping: AbortSignal): Promise<Lock | null> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    try {
      return takeLock(LOCK);
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw error;
    }
    await delay(LOOK_EVERY_MS, undefined, { signal: stopping });
  }
  return null;
}
