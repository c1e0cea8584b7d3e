import { linkSync, renameSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { isErrorCode, isRunning, processIdentity } from '../processes/process-identity.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';

const holder = z.object({ pid: z.int(), identity: z.string() });

/** Another launcher works on this data directory. */
export class DataDirectoryInUseError extends Error {
  readonly pid: number;

  constructor(pid: number) {
    super(`the data directory is in use by the service with process id ${pid}`);
    this.pid = pid;
  }
}

/** Takes the lock for this process, over a holder that is dead if need be, and returns what gives it back. */
export function lockDataDirectory(lockPath: string): () => void {
  const claim = `${lockPath}.${process.pid}`;
  writePrivateJson(claim, { pid: process.pid, identity: processIdentity(process.pid) });
  try {
    while (!tryLink(claim, lockPath)) removeStaleLock(lockPath);
  } finally {
    rmSync(claim);
  }
  return () => rmSync(lockPath, { force: true });
}

/** A link either is made whole or fails, so two launchers cannot both take the lock. */
function tryLink(claim: string, lockPath: string): boolean {
  try {
    linkSync(claim, lockPath);
    return true;
  } catch (error) {
    if (isErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function removeStaleLock(lockPath: string): void {
  refuseIfHeld(lockPath);
  const aside = `${lockPath}.stale.${process.pid}`;
  try {
    renameSync(lockPath, aside);
  } catch (error) {
    // Another start was quicker in removing it.
    if (isErrorCode(error, 'ENOENT')) return;
    throw error;
  }
  try {
    refuseIfHeld(aside);
  } catch (error) {
    // What was set aside is not the dead lock looked at above but one taken since; its owner gets it back.
    tryLink(aside, lockPath);
    throw error;
  } finally {
    rmSync(aside);
  }
}

function refuseIfHeld(path: string): void {
  const known = readPrivateJson(path, holder);
  if (known !== null && isRunning(known.pid, known.identity)) throw new DataDirectoryInUseError(known.pid);
}
