import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface RunOptions {
  directory?: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs a program to its end and returns what it printed; throws with its last lines when it fails. */
export async function run(command: readonly string[], { directory, env }: RunOptions = {}): Promise<string> {
  const [program = '', ...words] = command;
  const child = spawn(program, words, {
    ...(directory !== undefined && { cwd: directory }),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, all] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    all += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (all += text));
  await once(child, 'close');
  if (child.exitCode === 0) return output.trim();
  throw new Error(
    `${command.slice(0, 6).join(' ')} failed:\n${all.trim().split('\n').slice(-25).join('\n')}`,
  );
}

export async function succeeds(command: readonly string[], options: RunOptions = {}): Promise<boolean> {
  try {
    await run(command, options);
    return true;
  } catch {
    return false;
  }
}
