import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { rmSync } from 'node:fs';
import { z } from 'zod';
import { readPrivateJson, writePrivateJson } from '../data-directory/private-file.ts';
import { isRunning, processIdentity, endProcess } from './process-identity.ts';

/** A process that the guard ends. Services end first, because they use PostgreSQL and Temporal. */
export const guardedProcess = z.object({
  pid: z.int(),
  identity: z.string(),
  signal: z.enum(['SIGTERM', 'SIGINT', 'SIGQUIT']),
  stage: z.enum(['service', 'engine']),
});
export type GuardedProcess = z.infer<typeof guardedProcess>;
type Signal = GuardedProcess['signal'];
type Stage = GuardedProcess['stage'];

/** Processes to end and files to remove; each message replaces the previous one. */
export const guardOrders = z.object({
  processes: z.array(guardedProcess),
  /** Each file's name is the pid of a process to end, if its command line contains `command`. */
  pidFiles: z.array(z.object({ directory: z.string(), command: z.string() })),
  removable: z.array(z.string()),
});
export type GuardOrders = z.infer<typeof guardOrders>;

export type Guard = ReturnType<typeof startGuard>;

/** Starts a small process that ends the watched processes when this process is gone, for any reason. */
export function startGuard() {
  const orders: GuardOrders = { processes: [], pidFiles: [], removable: [] };
  let isClosing = false;
  let child = spawnGuard(respawn);
  const send = (): void => void child.stdin.write(`${JSON.stringify(orders)}\n`);
  // A killed guard is replaced.
  function respawn(): void {
    if (isClosing) return;
    child = spawnGuard(respawn);
    send();
  }
  return {
    /** Returns all watched processes. */
    watch: (pid: number, signal: Signal, stage: Stage): readonly GuardedProcess[] => {
      const identity = processIdentity(pid);
      if (identity === null) return orders.processes;
      const left = orders.processes.filter((known) => isRunning(known.pid, known.identity));
      orders.processes = [...left, { pid, identity, signal, stage }];
      send();
      return orders.processes;
    },
    watchPidFiles: (directory: string, command: string): void => {
      orders.pidFiles.push({ directory, command });
      send();
    },
    removeAtEnd: (path: string): void => {
      orders.removable.push(path);
      send();
    },
    /** Ends and removes everything on the list, and waits for it. */
    close: async (): Promise<void> => {
      isClosing = true;
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

function spawnGuard(onExit: () => void): ChildProcessByStdio<Writable, null, null> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('guard-main.ts', import.meta.url))], {
    // Its own session: Ctrl-C or killing the process group must not end the guard.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Writing to a dead guard fails; its end is handled below.
  child.stdin.on('error', () => undefined);
  child.on('exit', onExit);
  return child;
}

const END_LIMIT_MS = 10_000;

const processRecord = z.array(guardedProcess.omit({ stage: true }));

export type Custody = ReturnType<typeof openCustody>;

/**
 * Tracks this instance's processes twice: the guard ends them when the launcher dies, and the record lets the next
 * start end the rest.
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

/** Ends what a killed instance and its killed guard left behind; returns the number of processes. */
export async function clearLeftovers(recordPath: string): Promise<number> {
  const record = readPrivateJson(recordPath, processRecord) ?? [];
  // A pid alone is not enough: it may belong to another process by now.
  const left = record.filter(({ pid, identity }) => isRunning(pid, identity));
  // In reverse order of their start, so that services end before what they use.
  for (const { pid, identity, signal } of left.toReversed())
    await endProcess(pid, identity, signal, END_LIMIT_MS);
  rmSync(recordPath, { force: true });
  return left.length;
}
