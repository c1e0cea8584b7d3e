import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LauncherConfig } from '../config.ts';
import type { DataDirectory } from '../data-directory/data-directory.ts';
import type { RunningService } from '../data-directory/running-file.ts';
import type { DashboardPlan } from '../identity/choose-dashboard.ts';
import { freePort, urlOf } from './free-port.ts';
import { PROJECT_ROOT } from './run-script.ts';
import type { ProcessSpec } from './supervised-process.ts';
import type { Supervisor } from './supervisor.ts';
import { untilReadyMessage } from './until-ready.ts';

/** The time limit for stopping: longer than a delivery takes, so that a running delivery can end. */
const STOP_LIMIT_MS = 20_000;

const IDENTITY_PROVIDER = ['dev/identity/identity-main.ts'];

type MetricsUrls = Pick<RunningService, 'metricsUrl' | 'apiMetricsUrl' | 'dashboardMetricsUrl'>;

/**
 * Starts the project's processes. Returns the addresses of their metrics; the worker has those of outbox and
 * deliveries.
 */
export async function startServices(
  { directory, metricsHost, metricsPort }: LauncherConfig,
  environment: NodeJS.ProcessEnv,
  dashboard: DashboardPlan | null,
  parts: Supervisor,
): Promise<MetricsUrls> {
  const worker = await freePort(metricsHost, metricsPort);
  const api = await freePort(metricsHost, worker + 1);
  const ports = { worker, api, dashboard: await freePort(metricsHost, api + 1), identity: undefined };
  const start = (name: keyof typeof ports) => {
    const variables = { ...environment, METRICS_PORT: ports[name]?.toString() };
    return parts.start(name, serviceProcess(name, variables, directory));
  };
  // The API starts last, so that it stops first and takes no request that cannot be finished.
  const forPeople = [dashboard?.hasLocalProvider && start('identity'), dashboard && start('dashboard')];
  await Promise.all([start('worker'), start('api'), ...forPeople]);
  const metricsAt = (port: number) => `${urlOf(metricsHost, port)}/metrics`;
  return {
    metricsUrl: metricsAt(worker),
    apiMetricsUrl: metricsAt(api),
    dashboardMetricsUrl: dashboard && metricsAt(ports.dashboard),
  };
}

/** One of the project's services, which reports over IPC when it is ready and ends when the channel closes. */
function serviceProcess(
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
        // Its own session: Ctrl-C reaches only the launcher, which stops everything in order.
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

type Service = 'api' | 'worker' | 'dashboard';

/** Node's arguments in the npm script of that name: heap options and the file. */
export function argumentsOf(service: Service, directory = PROJECT_ROOT): string[] {
  const { scripts } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    scripts: Record<Service, string>;
  };
  return scripts[service].split(' ').slice('exec node'.split(' ').length);
}
