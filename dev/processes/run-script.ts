import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs one of the project's commands and returns its standard output; throws with its messages on failure. */
export async function runScript(
  script: string,
  args: string[],
  environment: NodeJS.ProcessEnv,
  stopping: AbortSignal,
): Promise<string> {
  stopping.throwIfAborted();
  const child = spawn(process.execPath, [script, ...args], {
    cwd: PROJECT_ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = (): void => void child.kill('SIGTERM');
  stopping.addEventListener('abort', end);
  const [output, messages] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  stopping.removeEventListener('abort', end);
  if (child.exitCode === 0) return output;
  throw new Error(
    `"node ${[script, ...args.slice(0, 2)].join(' ')}" failed:\n${withoutStack(messages || output)}`,
  );
}

function withoutStack(messages: string): string {
  const lines = messages.split('\n').filter((line) => !/^\s+at /.test(line) && line.trim() !== '');
  return lines.slice(-15).join('\n');
}
