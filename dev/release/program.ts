import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../processes/run-script.ts';

const LIMITS = { timeout: 10 * 60_000, maxBuffer: 64 * 1024 * 1024 };

/** Runs a program and returns its standard output; throws with what it printed when it fails. */
export async function runProgram(
  command: string,
  args: readonly string[],
  { directory = PROJECT_ROOT, env = {} }: { directory?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const options = { ...LIMITS, cwd: directory, env: { ...process.env, ...env } };
  try {
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const printed = `${stdout}\n${stderr}`.trim().split('\n').slice(-20).join('\n');
    // A program that is not here prints nothing.
    const said = printed === '' ? String(error) : printed;
    throw new Error(`"${[command, ...args.slice(0, 3)].join(' ')}" failed: ${said}`, { cause: error });
  }
}

/** Whether a program is here and works. */
export async function answers(command: string, args: readonly string[]): Promise<boolean> {
  return runProgram(command, args).then(
    () => true,
    () => false,
  );
}
