import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processIdentity } from '../../dev/processes/process-identity.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { readRunningFile, type RunningService } from '../../dev/data-directory/running-file.ts';
import { until } from '../support/until.ts';

const CHANGE_LIMIT_MS = 60_000;

/** A `npm start` of the test's own. */
export type StartedService = {
  npmPid: number;
  output(): string;
  untilOutput(text: string): Promise<void>;
  exitCode: Promise<number | null>;
  /** Waits until running.json says what the condition asks for; fails when npm ends before. */
  untilRunning(condition?: (running: RunningService) => boolean): Promise<RunningService>;
};

export function npmStart(dataDirectory: string): StartedService {
  const { NODE_OPTIONS: _jestsOwn, ...environment } = process.env;
  const child = spawn('npm', ['start'], {
    cwd: PROJECT_ROOT,
    env: { ...environment, DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const exitCode = once(child, 'close').then(() => child.exitCode);
  return {
    npmPid: child.pid ?? 0,
    output: () => output,
    untilOutput: async (text) => {
      while (!output.includes(text)) await once(child.stdout, 'data');
    },
    exitCode,
    untilRunning: (condition = () => true) => {
      const early = exitCode.then((code) => {
        throw new Error(`npm start ended with ${code}:\n${output}`);
      });
      return Promise.race([untilRunningFile(dataDirectory, condition), early]);
    },
  };
}

async function untilRunningFile(
  dataDirectory: string,
  condition: (running: RunningService) => boolean,
): Promise<RunningService> {
  const read = (): RunningService | null => readRunningFile(join(dataDirectory, 'running.json'));
  return until(
    'running.json to say what is expected',
    () => {
      const running = read();
      return running !== null && condition(running) ? running : null;
    },
    CHANGE_LIMIT_MS,
  );
}

/** The launcher and its children that still run. */
export function processesLeft({ pid, pids }: RunningService): number[] {
  return [pid, ...Object.values(pids)]
    .filter((each) => each !== null)
    .filter((each) => processIdentity(each) !== null);
}

export async function untilNoProcessIsLeft(running: RunningService): Promise<void> {
  await until('every process to end', () => processesLeft(running).length === 0, CHANGE_LIMIT_MS);
}

export async function aDataDirectory(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'clinic-start-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
