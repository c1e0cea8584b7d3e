import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../processes/run-script.ts';

const run = promisify(execFile);
const PROGRAMS = join(PROJECT_ROOT, 'node_modules/.cache/go');
const BUILD_LIMIT_MS = 30 * 60_000;

/** A tool is not available on this machine. */
export class ToolMissingError extends Error {
  override readonly name = 'ToolMissingError';
}

/**
 * The path of a program that is built with Go, once for each version.
 * @param module with its version, for example `helm.sh/helm/v3/cmd/helm@v3.20.2`
 * @throws ToolMissingError
 */
export async function goProgram(module: string): Promise<string> {
  const [path = '', version = ''] = module.split('@');
  const directory = join(PROGRAMS, version);
  const program = join(directory, path.split('/').at(-1) ?? '');
  if (existsSync(program)) return program;
  process.stderr.write(`Building ${module}; this takes some minutes, once\n`);
  const env = { ...process.env, GOBIN: directory, GOFLAGS: '' };
  await run('go', ['install', module], { env, timeout: BUILD_LIMIT_MS }).catch((error: unknown) => {
    throw new ToolMissingError(`"go install ${module}" does not work here`, { cause: error });
  });
  return program;
}
