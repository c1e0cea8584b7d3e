import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrorCode } from '../../../adapters/error-code.ts';
import { processIdentity } from '../../../dev/processes/process-identity.ts';
import { PROJECT_ROOT } from '../../../dev/processes/run-script.ts';
import { readRunningFile, type RunningService } from '../../../dev/data-directory/running-file.ts';
import { callersEnvironment } from '../environment/callers-environment.ts';
import { databaseDirectory } from '../environment/database-directory.ts';
import { until } from '../until.ts';

/** An npm script of the test's own: the launcher or the demo. */
export type NpmScript = {
  /** Of npm, not of what it runs. */
  signal(signal: NodeJS.Signals): void;
  /** As a terminal does: every process of the group gets the signal (and npm passes it on once more). Needs `ownGroup`. */
  pressCtrlC(): void;
  output(): string;
  untilOutput(text: string): Promise<void>;
  exitCode: Promise<number | null>;
};

export type StartedService = NpmScript & {
  /** Waits until running.json says what the condition asks for; fails when npm ends before. */
  untilRunning(condition?: (running: RunningService) => boolean): Promise<RunningService>;
};

export type NpmOptions = {
  environment?: NodeJS.ProcessEnv;
  /** In a process group of its own, as under a terminal; an interrupted test run then does not end it. */
  ownGroup?: boolean;
  args?: readonly string[];
};

export function npmStart(dataDirectory: string, options: NpmOptions = {}): StartedService {
  const script = npmRun('start', dataDirectory, options);
  const read = () => readRunningFile(join(dataDirectory, 'running.json'));
  const untilRunningFile = (condition: (running: RunningService) => boolean) =>
    until('running.json to say what is expected', () => {
      const running = read();
      return running !== null && condition(running) ? running : null;
    });
  return {
    ...script,
    untilRunning: (condition = () => true) => {
      const early = script.exitCode.then((code) => {
        throw new Error(`npm start ended with ${code}:\n${script.output()}`);
      });
      return Promise.race([untilRunningFile(condition), early]);
    },
  };
}

export function npmRun(
  name: string,
  dataDirectory: string,
  { environment = {}, ownGroup = false, args = [] }: NpmOptions = {},
): NpmScript {
  const child = spawn('npm', ['run', name, '--', ...args], {
    cwd: PROJECT_ROOT,
    env: { ...callersEnvironment(), DATA_DIR: dataDirectory, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: ownGroup,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const pid = child.pid ?? 0;
  return {
    signal: (signal) => kill(pid, signal),
    pressCtrlC: () => kill(-pid, 'SIGINT'),
    output: () => output,
    untilOutput: async (text) => {
      while (!output.includes(text)) await once(child.stdout, 'data');
    },
    exitCode: once(child, 'close').then(() => child.exitCode),
  };
}

/** The process may have ended already. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isErrorCode(error, 'ESRCH')) throw error;
  }
}

/** The launcher and its children that still run. */
export function processesLeft({ pid, pids }: RunningService): number[] {
  return [pid, ...Object.values(pids)]
    .filter((each) => each !== null)
    .filter((each) => processIdentity(each) !== null);
}

export async function untilNoProcessIsLeft(running: RunningService): Promise<void> {
  await until('every process to end', () => processesLeft(running).length === 0);
}

export async function aDataDirectory(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await databaseDirectory('clinic-start');
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
