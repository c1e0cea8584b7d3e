import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runAdmin } from '../../admin/run-admin.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { callersEnvironment } from '../support/environment/callers-environment.ts';

export interface AdminRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Carries out one command line; the environment holds nothing but what was given. */
export type Admin = (...words: string[]) => Promise<AdminRun>;

/** The command line without the cost of a process. */
export function adminWith(environment: Record<string, string>): Admin {
  return async (...words) => {
    const run = { stdout: '', stderr: '' };
    const exitCode = await runAdmin(words, environment, {
      stdout: { write: (text) => (run.stdout += text) },
      stderr: { write: (text) => (run.stderr += text) },
    });
    return { exitCode, ...run };
  };
}

/** The command line as operators run it. */
export function adminProcessWith(environment: Record<string, string>, directory = PROJECT_ROOT): Admin {
  return async (...words) => {
    const child = spawn(process.execPath, ['admin/main.ts', ...words], {
      cwd: directory,
      env: { ...callersEnvironment(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    await once(child, 'close');
    return { exitCode: child.exitCode, stdout, stderr };
  };
}

export type Json = Record<string, unknown>;

/** Expects success and returns the one JSON document. */
export async function answerOf(run: Promise<AdminRun>): Promise<Json> {
  const { exitCode, stdout, stderr } = await run;
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as Json;
}

export async function itemsOf(run: Promise<AdminRun>): Promise<Json[]> {
  const { items } = await answerOf(run);
  return items as Json[];
}

export function idOf(answer: Json): string {
  return String(answer['id']);
}
