import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processIdentity } from '../../dev/process-identity.ts';
import { PROJECT_ROOT } from '../../dev/run-script.ts';
import { readRunningFile, type RunningService } from '../../dev/running-file.ts';

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
  const path = join(dataDirectory, 'running.json');
  const watcher = watch(dataDirectory);
  try {
    const deadline = Date.now() + CHANGE_LIMIT_MS;
    while (Date.now() < deadline) {
      const running = readRunningFile(path);
      if (running !== null && condition(running)) return running;
      await Promise.race([once(watcher, 'change'), delay(1_000)]);
    }
  } finally {
    watcher.close();
  }
  throw new Error(`running.json did not change as expected: ${JSON.stringify(readRunningFile(path)?.pids)}`);
}

/** The launcher and its children that still run. */
export function processesLeft({ pid, pids }: RunningService): number[] {
  return [pid, ...Object.values(pids)]
    .filter((each) => each !== null)
    .filter((each) => processIdentity(each) !== null);
}

export async function untilNoProcessIsLeft(running: RunningService): Promise<void> {
  const deadline = Date.now() + CHANGE_LIMIT_MS;
  while (processesLeft(running).length > 0) {
    if (Date.now() > deadline) throw new Error(`still running: ${processesLeft(running).join(', ')}`);
    await delay(50);
  }
}

export async function aDataDirectory(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'clinic-start-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
