import type { LauncherConfig } from '../config.ts';
import type { RunningService } from '../data-directory/running-file.ts';
import type { DashboardPlan } from '../identity/choose-dashboard.ts';
import { freePort, urlOf } from './free-port.ts';
import { serviceProcess } from './service-process.ts';
import type { Supervisor } from './supervisor.ts';

type MetricsUrls = Pick<RunningService, 'metricsUrl' | 'apiMetricsUrl' | 'dashboardMetricsUrl'>;

/** Starts the project's own processes. Returns where their metrics are; the outbox and the deliveries are in the worker's. */
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
  // The API is started last, so that it is stopped first and takes no request that nobody would carry on.
  const forPeople = [dashboard?.hasLocalProvider && start('identity'), dashboard && start('dashboard')];
  await Promise.all([start('worker'), start('api'), ...forPeople]);
  const metricsAt = (port: number) => `${urlOf(metricsHost, port)}/metrics`;
  return {
    metricsUrl: metricsAt(worker),
    apiMetricsUrl: metricsAt(api),
    dashboardMetricsUrl: dashboard && metricsAt(ports.dashboard),
  };
}
