import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { readPrivateJson, readTextIfPresent } from '../data-directory/private-file.ts';
import { isErrorCode } from '../../adapters/error-code.ts';
import { isRunning, processIdentity } from './process-identity.ts';

const holder = z.object({ pid: z.int(), identity: z.string() });

/**
 * Another process that still runs has taken the lock: of a data directory, and `npm start` says so and ends; of a turn to start,
 * and it waits.
 */
export class LockHeldError extends Error {
  constructor(pid: number) {
    super(`in use by the service with process id ${pid}`);
  }
}

export type Lock = ReturnType<typeof takeLock>;

/** Takes the lock for this process, over a holder that is dead if need be. */
export function takeLock(path: string) {
  const claim = `${path}.${process.pid}`;
  const text = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) });
  try {
    writeFileSync(claim, text, { mode: 0o600 });
    while (!tryLink(claim, path)) removeStaleLock(path);
  } finally {
    rmSync(claim, { force: true });
  }
  /** False once its file is gone or another's. */
  const isHeld = () => readTextIfPresent(path) === text;
  return { isHeld, release: (): void => void (isHeld() && rmSync(path, { force: true })) };
}

/** A link either is made whole or fails, so two processes cannot both take the lock. */
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
    // Another start was quicker in removing it.
    if (isErrorCode(error, 'ENOENT')) return;
    throw error;
  }
  try {
    refuseIfHeld(aside);
  } catch (error) {
    // What was set aside is not the dead lock looked at above but one taken since; its owner gets it back.
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
