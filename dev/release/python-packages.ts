import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, textOf } from '../../docs/pages.ts';
import { run } from '../../docs/languages.ts';

const INSTALL_TIMEOUT_MS = 240_000;

/**
 * The directory of the Python packages that a requirements.txt names, for PYTHONPATH. Installed from the package index once for each
 * content of that file and kept beside the packages of npm.
 * @param requirements its path from the root
 * @throws without `python3` and pip, which README.md asks for
 */
export async function pythonPackages(requirements: string): Promise<string> {
  const version = createHash('sha256').update(textOf(requirements)).digest('hex').slice(0, 12);
  const place = join(ROOT, 'node_modules/.cache', `python-${version}`);
  if (existsSync(place)) return place;
  const unfinished = `${place}.${process.pid}`;
  mkdirSync(dirname(place), { recursive: true });
  const flags = ['--disable-pip-version-check', '--no-input', '--no-deps', '--only-binary', ':all:'];
  const from = ['--target', unfinished, '--requirement', join(ROOT, requirements)];
  try {
    await run(['python3', '-m', 'pip', 'install', ...flags, ...from], {
      directory: ROOT,
      timeoutMs: INSTALL_TIMEOUT_MS,
      // Otherwise a user's default of `--user` would contradict --target.
      env: { PIP_USER: '0' },
    });
    renameSync(unfinished, place);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return place;
}
