import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { readPrivateJson, readTextIfPresent } from '../data-directory/private-file.ts';
import { isErrorCode } from '../../adapters/error-code.ts';
import { isRunning, processIdentity } from './process-identity.ts';

const holder = z.object({ pid: z.int(), identity: z.string() });

/**
 * Another running process has the lock. If it is the lock of a data directory, `npm start` reports this and exits; if
 * it is the lock for starting, `npm start` waits.
 */
export class LockHeldError extends Error {
  constructor(pid: number) {
    super(`in use by the service with process id ${pid}`);
  }
}

export type Lock = ReturnType<typeof takeLock>;

/** Takes the lock for this process, also if the process that has it is dead. */
export function takeLock(path: string) {
  const claim = `${path}.${process.pid}`;
  const text = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) });
  try {
    writeFileSync(claim, text, { mode: 0o600 });
    while (!tryLink(claim, path)) removeStaleLock(path);
  } finally {
    rmSync(claim, { force: true });
  }
  /** Whether this process still has the lock; false when the file is gone or belongs to another process. */
  const isHeld = () => readTextIfPresent(path) === text;
  return { isHeld, release: (): void => void (isHeld() && rmSync(path, { force: true })) };
}

/** Creating a link is atomic, so two processes cannot both take the lock. */
function tryLink(claim: string, path: string): boolean {
  try {
    linkSync(claim, path);
    return true;
  } catch (error) {
    if (isErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function removeStaleLock(path: string): void {
  refuseIfHeld(path);
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    // Another start has already removed it.
    if (isErrorCode(error, 'ENOENT')) return;
    throw error;
  }
  try {
    refuseIfHeld(aside);
  } catch (error) {
    // This was not the dead lock seen above, but a new one; its owner gets it back.
    tryLink(aside, path);
    throw error;
  } finally {
    rmSync(aside);
  }
}

function refuseIfHeld(path: string): void {
  const known = readPrivateJson(path, holder);
  if (known !== null && isRunning(known.pid, known.identity)) throw new LockHeldError(known.pid);
}
