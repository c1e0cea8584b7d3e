import { spawn } from 'node:child_process';
import type { DataDirectory } from '../data-directory/data-directory.ts';
import { PROJECT_ROOT } from './run-script.ts';
import { argumentsOf, type Service } from './service-command.ts';
import type { ProcessSpec } from './supervised-process.ts';
import { untilReadyMessage } from './until-ready.ts';

/** Longer than a delivery may take, so that one under way can end. */
const STOP_LIMIT_MS = 20_000;

const IDENTITY_PROVIDER = ['dev/identity/identity-main.ts'];

/** One of the project's own services, which says over its IPC channel when it serves and ends when that channel closes. */
export function serviceProcess(
  name: Service | 'identity',
  environment: NodeJS.ProcessEnv,
  directory: DataDirectory,
): ProcessSpec {
  return {
    name,
    spawn: (log) =>
      spawn(process.execPath, name === 'identity' ? IDENTITY_PROVIDER : argumentsOf(name), {
        cwd: PROJECT_ROOT,
        env: environment,
        // Its own session: a Ctrl-C reaches the launcher alone, which then stops everything in order.
        detached: true,
        stdio: ['ignore', log, log, 'ipc'],
      }),
    untilReady: (child) => untilReadyMessage(child),
    stopSignal: 'SIGTERM',
    stopLimitMs: STOP_LIMIT_MS,
    stage: 'service',
    log: directory.log(name),
  };
}
