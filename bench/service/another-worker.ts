import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Service } from './start-service.ts';

/** A worker beside the launcher's, started with the same command and environment; returns when it serves. */
export async function startAnotherWorker(service: Service, resources: AsyncDisposableStack): Promise<void> {
  const { pids } = await service.running();
  const of = async (file: string) => (await readFile(`/proc/${pids.worker}/${file}`, 'utf8')).split('\0');
  const [command = '', ...args] = (await of('cmdline')).filter((word) => word !== '');
  const variables = (await of('environ')).map((line) => line.split(/=(.*)/s, 2));
  const child = spawn(command, args, {
    cwd: service.root,
    // The launcher's worker has the port for metrics.
    env: { ...Object.fromEntries(variables), METRICS_PORT: undefined },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit');
  resources.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => Promise.reject(new Error(`another worker ended with ${code}`))),
  ]);
}
