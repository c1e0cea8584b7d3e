import { rmSync } from 'node:fs';
import { childEnvironment, type Addresses } from './processes/child-environment.ts';
import type { LauncherConfig } from './config.ts';
import { clearLeftovers, openCustody, type Custody } from './processes/custody.ts';
import { lockDataDirectory } from './data-directory/data-directory-lock.ts';
import { dataDirectory, type DataDirectory } from './data-directory/data-directory.ts';
import { choosePostgres, chooseTemporal } from './engines.ts';
import { keepFirstClinic, type Admin } from './first-clinic.ts';
import { freePort } from './processes/free-port.ts';
import { keepLocalCa } from './data-directory/local-ca.ts';
import { keepLocalKeys, type LocalKeys } from './data-directory/local-keys.ts';
import { Parts } from './parts.ts';
import { writeWhole } from './data-directory/private-file.ts';
import type { Report } from './report.ts';
import { runScript } from './processes/run-script.ts';
import { serviceProcess } from './processes/service-process.ts';
import { inTurn } from './start-turn.ts';
import { welcome } from './welcome.ts';

export type LaunchSurroundings = {
  report: Report;
  /** Aborted when the service is to stop, also in the middle of its start. */
  stopping: AbortSignal;
  /** Takes what is to be undone at the end. */
  resources: AsyncDisposableStack;
};

/** The SDK's reader stumbles over a file without any profile. */
const EMPTY_PROFILE = '[profile.default]\n';

/** Starts the whole service on this machine and says how to use it. */
export async function launch(config: LauncherConfig, surroundings: LaunchSurroundings): Promise<void> {
  const { report, stopping, resources } = surroundings;
  const directory = dataDirectory(config.dataDirectory);
  const custody = await takeDirectory(directory, surroundings);
  const parts = new Parts(custody, report, stopping, resources);
  const keys = keepLocalKeys(directory.keys);
  writeWhole(directory.temporalProfile, EMPTY_PROFILE, 0o644);
  if (config.mode === 'test') await keepLocalCa(directory.caCertificate, directory.caKey);

  const { addresses, environment, metricsUrl } = await inTurn(stopping, () =>
    startParts(config, directory, keys, parts, surroundings),
  );

  const admin: Admin = async (...args) =>
    JSON.parse(await runScript('admin/main.ts', args, environment, stopping));
  const clinic = await keepFirstClinic(directory.demo, addresses.apiUrl, admin);
  const running = {
    serviceMode: config.mode,
    apiUrl: addresses.apiUrl,
    temporalAddress: addresses.temporal.address,
    temporalNamespace: config.temporalNamespace,
    temporalUiUrl: addresses.temporal.uiUrl,
    databaseUrl: addresses.databaseUrl,
    metricsUrl,
    pid: process.pid,
  };
  parts.announce(directory.running, running);
  report.line(welcome(running, clinic, config, directory, new Date()));
}

/** Starts everything in its order; when it returns, every port is taken. */
async function startParts(
  config: LauncherConfig,
  directory: DataDirectory,
  keys: LocalKeys,
  parts: Parts,
  surroundings: LaunchSurroundings,
) {
  const { report, stopping } = surroundings;
  const addresses = await startEngines(config, directory, keys, parts, surroundings);
  const environment = childEnvironment(config, directory, keys, addresses);
  report.line('Bringing the database and Temporal up to date');
  await Promise.all([
    runScript('admin/migrate-main.ts', [], environment, stopping),
    runScript('worker/setup-main.ts', [], environment, stopping),
  ]);
  report.line('Starting the API and the worker');
  const metricsUrl = await startServices(config, directory, environment, parts);
  return { addresses, environment, metricsUrl };
}

/** Makes the data directory this launcher's own and ends what a killed one has left running there. */
async function takeDirectory(
  directory: DataDirectory,
  { report, stopping, resources }: LaunchSurroundings,
): Promise<Custody> {
  resources.defer(lockDataDirectory(directory.lock));
  rmSync(directory.running, { force: true });
  const cleared = await clearLeftovers(directory.processes);
  if (cleared > 0) report.line(`Ended ${cleared} processes that an earlier start had left behind`);
  stopping.throwIfAborted();
  const custody = openCustody(directory.processes);
  resources.defer(() => custody.close());
  return custody;
}

async function startEngines(
  config: LauncherConfig,
  directory: DataDirectory,
  keys: LocalKeys,
  parts: Parts,
  { report, stopping }: LaunchSurroundings,
): Promise<Addresses> {
  const [postgres, temporal] = await Promise.all([
    choosePostgres(config, directory, keys, report),
    chooseTemporal(config, directory, report, stopping),
  ]);
  await Promise.all([parts.start('postgres', postgres.spec), parts.start('temporal', temporal.spec)]);
  const apiPort = await freePort(config.host, config.port);
  if (apiPort !== config.port) report.line(`Port ${config.port} is taken; the API uses ${apiPort}`);
  return {
    databaseUrl: postgres.address,
    temporal: temporal.address,
    apiPort,
    apiUrl: urlOf(config.host, apiPort),
  };
}

/** @returns the worker's metrics URL: the outbox and the deliveries are there. */
async function startServices(
  config: LauncherConfig,
  directory: DataDirectory,
  environment: NodeJS.ProcessEnv,
  parts: Parts,
): Promise<string> {
  const workerMetrics = await freePort('127.0.0.1', config.metricsPort);
  const apiMetrics = await freePort('127.0.0.1', workerMetrics + 1);
  const withMetrics = (port: number): NodeJS.ProcessEnv => ({ ...environment, METRICS_PORT: String(port) });
  // The API is started last, so that it is stopped first and takes no request that nobody would carry on.
  await Promise.all([
    parts.start('worker', serviceProcess('worker', withMetrics(workerMetrics), directory)),
    parts.start('api', serviceProcess('api', withMetrics(apiMetrics), directory)),
  ]);
  return `http://127.0.0.1:${workerMetrics}/metrics`;
}

function urlOf(host: string, port: number): string {
  const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
