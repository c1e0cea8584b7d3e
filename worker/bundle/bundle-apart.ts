import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const BUNDLE_MAIN = fileURLToPath(new URL('bundle-main.ts', import.meta.url));
const LARGEST_BUNDLE_BYTES = 64 * 1024 * 1024;

/** The workflows as one script, made by a process of its own: bundling takes 150 MB that would not come back. */
export async function bundleApart(signal: AbortSignal): Promise<{ code: string }> {
  const { stdout } = await promisify(execFile)(process.execPath, [BUNDLE_MAIN], {
    maxBuffer: LARGEST_BUNDLE_BYTES,
    signal,
  });
  return { code: stdout };
}
