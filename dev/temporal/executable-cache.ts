import { access, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where a program is cached: shared by all checkouts of one user, so that it is downloaded once. Its name says what it is, so a new
 * version never meets an old file.
 */
export function cachedPath(environment: NodeJS.ProcessEnv, program: string, version: string): string {
  const caches = environment['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(caches, 'clinic-appointments', `${program}-${version}-${process.platform}-${process.arch}`);
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Lets `download` fill a directory of its own and moves the program it names into place in one step, so that two starts
 * at once, or one that is killed half way, never leave a broken file under the final name.
 */
export async function cacheExecutable(path: string, download: (into: string) => Promise<string>) {
  const directory = join(path, '..');
  await mkdir(directory, { recursive: true });
  const workspace = await mkdtemp(join(directory, '.download-'));
  try {
    const program = await download(workspace);
    await rename(program, path);
    return path;
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}
