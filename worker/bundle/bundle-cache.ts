import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Logger } from '../../adapters/logs/logger.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUNDLE_MAIN = fileURLToPath(new URL('bundle-main.ts', import.meta.url));
const MAX_BUNDLE_BYTES = 64 * 1024 * 1024;
/** The sources of the bundle: folders that workflows may import, and packages. */
const MADE_OF = ['workflows/**/*.ts', 'domain/**/*.ts', 'package-lock.json'];
const KEPT_IN = join(ROOT, 'node_modules', '.cache');

/**
 * The workflows as one script, cached next to the packages until a source changes. So a restarted worker is ready some
 * seconds earlier. If the cache cannot be written, the script is built at every start.
 */
export async function cachedWorkflowBundle({
  signal,
  logger,
  directory = KEPT_IN,
}: {
  signal: AbortSignal;
  logger: Logger;
  directory?: string;
}): Promise<{ codePath: string } | { code: string }> {
  const codePath = join(directory, `workflows-${await fingerprint()}.js`);
  if (existsSync(codePath)) return { codePath };
  const how = { maxBuffer: MAX_BUNDLE_BYTES, signal };
  const { stdout: code } = await promisify(execFile)(process.execPath, [BUNDLE_MAIN], how);
  try {
    await keep(codePath, code);
    return { codePath };
  } catch (error) {
    logger.warn({ reason: (error as NodeJS.ErrnoException).code }, 'workflows.bundle_not_kept');
    return { code };
  }
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  const files = await Array.fromAsync(glob(MADE_OF, { cwd: ROOT }));
  for (const file of files.sort()) {
    const content = await readFile(join(ROOT, file));
    hash.update(`${file}\0`).update(content).update('\0');
  }
  return hash.digest('hex').slice(0, 32);
}

/** Writes the cache atomically, because several workers may start at the same time and each may be killed. */
async function keep(path: string, code: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const own = `${path}.${process.pid}`;
  await writeFile(own, code);
  await rename(own, path);
}
