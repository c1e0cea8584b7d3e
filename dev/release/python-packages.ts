import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_ROOT } from '../processes/run-script.ts';
import { runProgram } from './program.ts';

/**
 * The directory of the Python packages in a requirements.txt, for PYTHONPATH. They are installed once for each content
 * of the file, beside the packages of npm.
 * @param requirements its path from the root
 * @throws without `python3` and pip, which README.md asks for
 */
export async function pythonPackages(requirements: string): Promise<string> {
  const path = join(PROJECT_ROOT, requirements);
  const version = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12);
  const place = join(PROJECT_ROOT, 'node_modules/.cache', `python-${version}`);
  if (existsSync(place)) return place;
  const unfinished = `${place}.${process.pid}`;
  mkdirSync(dirname(place), { recursive: true });
  const flags = ['--disable-pip-version-check', '--no-input', '--no-deps', '--only-binary', ':all:'];
  const from = ['--target', unfinished, '--requirement', path];
  try {
    // Otherwise a user's default of `--user` would contradict --target.
    await runProgram('python3', ['-m', 'pip', 'install', ...flags, ...from], { env: { PIP_USER: '0' } });
    renameSync(unfinished, place);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return place;
}
