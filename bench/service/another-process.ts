import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { PartName, Service } from './start-service.ts';

/** Another process beside the launcher's, started as that one was; returns when it serves. */
export async function startAnother(
  service: Service,
  part: Extract<PartName, 'api' | 'worker'>,
  resources: AsyncDisposableStack,
  environment: NodeJS.ProcessEnv = {},
): Promise<void> {
  const { pids } = await service.running();
  const of = async (file: string) => (await readFile(`/proc/${pids[part]}/${file}`, 'utf8')).split('\0');
  const [command = '', ...args] = (await of('cmdline')).filter((word) => word !== '');
  const variables = (await of('environ')).map((line) => line.split(/=(.*)/s, 2));
  const child = spawn(command, args, {
    cwd: service.root,
    // Whose metrics no one asks for.
    env: { ...Object.fromEntries(variables), METRICS_PORT: undefined, ...environment },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit');
  resources.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => Promise.reject(new Error(`another ${part} ended with ${code}`))),
  ]);
}
