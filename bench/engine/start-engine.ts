import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Temporal beside the service's processes. */
export interface Engine {
  address: string;
  /** Of the process whose children do its work. */
  pid: number;
}

/**
 * Temporal on a PostgreSQL of its own, of which nothing stays.
 *
 * @param programs the directory of Temporal’s `server` and `sql`, as `go install` names them
 */
export async function startEngine(programs: string, resources: AsyncDisposableStack): Promise<Engine> {
  const directory = await mkdtemp(join(tmpdir(), 'clinic-bench-engine-'));
  resources.defer(() => rm(directory, { recursive: true, force: true }));
  const child = fork(new URL('engine-main.ts', import.meta.url), [programs, join(directory, 'postgres')]);
  const ended = once(child, 'exit');
  resources.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const [{ address }] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error(`Temporal of ${programs} did not start`))),
  ])) as [{ address: string }];
  return { address, pid: child.pid ?? 0 };
}
