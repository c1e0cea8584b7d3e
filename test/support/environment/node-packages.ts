import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../../docs/pages.ts';
import { run } from '../../docs/languages.ts';

const INSTALL_TIMEOUT_MS = 240_000;

/**
 * The `node_modules` with a package that only one test needs. Installed from the registry once, and kept beside the
 * packages of npm.
 * @param spec such as `express@5.3.0`
 */
export async function nodePackage(spec: string): Promise<string> {
  const place = join(ROOT, 'node_modules/.cache', spec.replaceAll('/', '-'));
  if (!existsSync(place)) {
    const unfinished = `${place}.${process.pid}`;
    mkdirSync(dirname(place), { recursive: true });
    mkdirSync(unfinished);
    const install = ['npm', 'install', '--no-audit', '--no-fund', '--prefix', unfinished, spec];
    try {
      await run(install, { directory: unfinished, timeoutMs: INSTALL_TIMEOUT_MS });
      renameSync(unfinished, place);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return join(place, 'node_modules');
}
