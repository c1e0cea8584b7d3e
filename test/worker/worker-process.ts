import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { argumentsOf } from '../../dev/processes/start-services.ts';
import { callersEnvironment } from '../support/environment/callers-environment.ts';

/** `worker/main.ts` as the launcher starts it. */
export interface WorkerProcess {
  child: ChildProcess;
  /** Rejects when the process ends first. */
  ready: Promise<void>;
  /** The exit code. */
  ended: Promise<number | null>;
  /** Everything that it has written so far. */
  output(): string;
}

/** @param directory of another version's sources */
export function startWorkerProcess(
  environment: Record<string, string>,
  directory: string = PROJECT_ROOT,
): WorkerProcess {
  const child = spawn(process.execPath, argumentsOf('worker', directory), {
    cwd: directory,
    env: {
      ...callersEnvironment(),
      // No profile file of the user's reaches the process.
      TEMPORAL_CONFIG_FILE: '/nonexistent/temporal.toml',
      SERVICE_MODE: 'test',
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const said = [child.stdout, child.stderr].filter((stream) => stream !== null);
  for (const stream of said) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit').then(async ([code]) => {
    // Its last lines may come after it.
    await Promise.all(said.map((stream) => finished(stream)));
    return code as number | null;
  });
  const ready = Promise.race([
    once(child, 'message').then(() => undefined),
    ended.then((code) => Promise.reject(new Error(`the worker ended with ${code}:\n${output}`))),
  ]);
  ready.catch(() => undefined);
  return { child, ready, ended, output: () => output };
}
