import { rmSync } from 'node:fs';
import { z } from 'zod';
import { guardedProcess, startGuard, type Guard } from './guard.ts';
import { endProcess, isRunning } from './process-identity.ts';
import { readPrivateJson, writePrivateJson } from '../data-directory/private-file.ts';

const END_LIMIT_MS = 10_000;

const processRecord = z.array(guardedProcess.omit({ stage: true }));

export type Custody = ReturnType<typeof openCustody>;

/**
 * Knows which processes belong to this instance, twice over: the guard ends them when the launcher dies, and the record lets the next
 * start end what even the guard could not.
 */
export function openCustody(recordPath: string) {
  const guard = startGuard();
  return {
    take: (...how: Parameters<Guard['watch']>): void => writePrivateJson(recordPath, guard.watch(...how)),
    close: async (): Promise<void> => {
      await guard.close();
      rmSync(recordPath, { force: true });
    },
  };
}

/** Ends what an instance left behind that was killed together with its guard; returns how many processes that were. */
export async function clearLeftovers(recordPath: string): Promise<number> {
  const record = readPrivateJson(recordPath, processRecord) ?? [];
  // A pid alone says nothing: it may belong to a stranger by now.
  const left = record.filter(({ pid, identity }) => isRunning(pid, identity));
  // In the order of their start: reversed, so that the services end before what they use.
  for (const { pid, identity, signal } of left.toReversed())
    await endProcess(pid, identity, signal, END_LIMIT_MS);
  rmSync(recordPath, { force: true });
  return left.length;
}
