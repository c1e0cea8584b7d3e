import { accessSync, constants, mkdirSync, rmSync } from 'node:fs';
import { ConfigError } from '../adapters/config/read-config.ts';
import { serviceEnvironment, type LauncherConfig } from './config.ts';
import type { DataDirectory } from './data-directory/data-directory.ts';
import { keepLocalCa } from './data-directory/local-ca.ts';
import { keepLocalKeys, type LocalKeys } from './data-directory/local-keys.ts';
import { writeWhole } from './data-directory/private-file.ts';
import { writeRunningFile, type Announcement } from './data-directory/running-file.ts';
import { keepFirstClinic, type FirstClinic } from './first-clinic/first-clinic.ts';
import { chooseDashboard } from './identity/choose-dashboard.ts';
import { choosePostgres, requireOwnPostgres } from './postgres/choose-postgres.ts';
import { clearLeftovers, openCustody } from './processes/guard.ts';
import { freePort, isOwnAddress, urlOf } from './processes/free-port.ts';
import { takeLock } from './processes/lock-file.ts';
import { PROJECT_ROOT, runScript } from './processes/run-script.ts';
import { startServices } from './processes/start-services.ts';
import { inTurn } from './processes/start-turn.ts';
import { createSupervisor, type Supervisor } from './processes/supervisor.ts';
import { watchSources } from './processes/watch-sources.ts';
import type { Report } from './report.ts';
import { chooseTemporal, requireOwnTemporal } from './temporal/choose-temporal.ts';

export type LaunchSurroundings = {
  report: Report;
  /** API, worker and dashboard are restarted when their code changes. */
  reloads: boolean;
  /** Aborts when the service should stop, also during its start. */
  stopping: AbortSignal;
  /** Resources to be released at the end. */
  resources: AsyncDisposableStack;
  /** Called when the service cannot continue. */
  fail: (error: unknown) => void;
};

const DIRECTORY_LOOK_MS = 500;

/** The data directory was removed or emptied while the service ran. */
export class DataDirectoryLostError extends Error {
  constructor(root: string) {
    super(`The data directory ${root} was removed or emptied; the service cannot go on without it.`);
  }
}

/** Starts the whole service on this machine and prints how to use it. */
export async function launch(config: LauncherConfig, surroundings: LaunchSurroundings): Promise<void> {
  const { report, stopping, resources, reloads } = surroundings;
  const { directory } = config;
  await refuseForeignHosts(config);
  const parts = await openDirectory(directory, surroundings);
  const keys = keepLocalKeys(directory.keys);
  if (config.mode === 'test') await keepTrustedCas(directory, config.extraCaPem);

  const { addresses, environment, ...urls } = await inTurn(stopping, () =>
    startParts(config, keys, parts, surroundings),
  );
  const make = (...args: string[]) =>
    runScript('dev/first-clinic/make-first-clinic-main.ts', args, environment, stopping);
  const clinic = await keepFirstClinic(directory.demo, addresses.apiUrl, make);
  const running = {
    serviceMode: config.mode,
    apiUrl: addresses.apiUrl,
    temporalAddress: addresses.temporal.address,
    temporalNamespace: config.temporalNamespace,
    temporalUiUrl: addresses.temporal.uiUrl,
    databaseUrl: addresses.databaseUrl,
    ...urls,
    pid: process.pid,
  };
  stopping.throwIfAborted();
  parts.onReady = () => writeRunningFile(directory.running, { ...running, pids: parts.pids() });
  parts.onReady();
  resources.defer(() => {
    parts.onReady = () => undefined;
    rmSync(directory.running, { force: true });
  });
  if (reloads)
    resources.defer(watchSources(PROJECT_ROOT, () => void parts.restart(['worker', 'api', 'dashboard'])));
  report.line(welcome(running, clinic, config, new Date()));
}

async function refuseForeignHosts({ host, metricsHost }: LauncherConfig): Promise<void> {
  const problems = [];
  for (const [name, address] of Object.entries({ HOST: host, METRICS_HOST: metricsHost })) {
    if (!(await isOwnAddress(address))) problems.push(`${name}: must be an address of this machine`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Locks the data directory and ends processes left by a killed launcher. */
async function openDirectory(
  directory: DataDirectory,
  { report, stopping, resources, fail }: LaunchSurroundings,
): Promise<Supervisor> {
  makeDirectory(directory);
  const lock = takeLock(directory.lock);
  resources.defer(() => lock.release());
  const failure = (error: unknown) => (lock.isHeld() ? error : new DataDirectoryLostError(directory.root));
  const look = setInterval(() => lock.isHeld() || fail(failure(null)), DIRECTORY_LOOK_MS);
  resources.defer(() => clearInterval(look));
  rmSync(directory.running, { force: true });
  const cleared = await clearLeftovers(directory.processes);
  if (cleared > 0) report.line(`Ended ${cleared} processes that an earlier start had left behind`);
  stopping.throwIfAborted();
  const custody = openCustody(directory.processes);
  resources.defer(() => custody.close());
  return createSupervisor(
    { custody, onRestart: (reason) => report.line(reason), onFailure: (error) => fail(failure(error)) },
    stopping,
    resources,
  );
}

function makeDirectory({ root, logs }: DataDirectory): void {
  try {
    mkdirSync(logs, { recursive: true });
    accessSync(root, constants.W_OK);
  } catch (error) {
    throw new ConfigError([`DATA_DIR: must be a directory to write to (${String(error)})`]);
  }
}

/** Writes the file of trusted certificates: the local CA and the user's. */
async function keepTrustedCas(directory: DataDirectory, extraCaPem = ''): Promise<void> {
  const { certificatePem } = await keepLocalCa(directory.caCertificate, directory.caKey);
  writeWhole(directory.trustedCas, `${certificatePem}${extraCaPem}`, 0o644);
}

/** Starts everything in order; when it returns, all ports are taken. */
async function startParts(
  config: LauncherConfig,
  keys: LocalKeys,
  parts: Supervisor,
  { report, stopping }: LaunchSurroundings,
) {
  await Promise.all([requireOwnPostgres(config), requireOwnTemporal(config)]);
  // One after the other, so that a failure leaves no half-created database of the other.
  const temporal = await chooseTemporal(config, report, stopping);
  const postgres = await choosePostgres(config, keys, report);
  await Promise.all([parts.start('postgres', postgres.spec), parts.start('temporal', temporal.spec)]);
  const apiPort = await freePort(config.host, config.port);
  if (apiPort !== config.port) report.line(`Port ${config.port} is taken; the API uses ${apiPort}`);
  const apiUrl = urlOf(config.host, apiPort);
  const addresses = { databaseUrl: postgres.address, temporal: temporal.address, apiPort, apiUrl };
  const dashboard = await chooseDashboard(config);
  const environment = {
    ...serviceEnvironment(config.environment, config.directory, keys, addresses),
    ...dashboard?.environment,
  };
  report.line('Bringing the database and Temporal up to date');
  await Promise.all([
    runScript('admin/migrate-main.ts', [], environment, stopping),
    runScript('worker/setup-main.ts', [], environment, stopping),
  ]);
  report.line('Starting the API and the worker');
  const metricsUrls = await startServices(config, environment, dashboard, parts);
  return { addresses, environment, dashboardUrl: dashboard?.url ?? null, ...metricsUrls };
}

const HALF_HOUR_MS = 1_800_000;

/** Prints the next steps for the user: addresses, a key and a first booking. */
function welcome(
  running: Announcement,
  clinic: FirstClinic,
  { directory, mode, allowedCidrs, environment }: LauncherConfig,
  now: Date,
): string {
  const lines = [
    '',
    `  API           ${running.apiUrl}`,
    `  API docs      ${running.apiUrl}/docs`,
    `  Dashboard     ${dashboardLine(running.dashboardUrl, environment)}`,
    `  Temporal UI   ${running.temporalUiUrl ?? '(of your own server)'}`,
    `  Demo key      ${clinic.pmsKey} (what a PMS needs)`,
    `                ${clinic.key} (everything: settings and further keys too)`,
    `  Metrics       ${metricsLine(running)}`,
    `  Data and logs ${directory.root}`,
    ...(mode === 'test'
      ? [`  Local CA      ${directory.caCertificate}`, `  Its key       ${directory.caKey}`]
      : []),
    ...(allowedCidrs.length > 0
      ? ['', `Webhooks may also reach ${allowedCidrs.join(', ')} (WEBHOOK_ALLOWED_CIDRS).`]
      : []),
    '',
    'Book an appointment:',
    '',
    firstBooking(running.apiUrl, clinic, now),
    '',
    'Ctrl-C stops everything; the data stays.',
    '',
  ];
  return lines.join('\n');
}

function dashboardLine(url: string | null, { OIDC_ISSUER: issuer }: LauncherConfig['environment']): string {
  if (url === null) return '(none: a live service needs OIDC_ISSUER for it)';
  return issuer === undefined ? `${url} (sign in as any person of the demo, without a password)` : url;
}

function metricsLine({ metricsUrl, apiMetricsUrl, dashboardMetricsUrl: ofDashboard }: Announcement): string {
  const dashboard = ofDashboard === null ? '' : `, ${ofDashboard} (dashboard)`;
  return `${metricsUrl} (worker), ${apiMetricsUrl} (API)${dashboard}`;
}

/** A shell command for a first booking. Its values need no escaping inside single quotes. */
function firstBooking(apiUrl: string, clinic: FirstClinic, now: Date): string {
  const body = JSON.stringify({
    professionalId: clinic.professionals[0]?.id,
    serviceTypeId: clinic.services[0]?.id,
    patientName: 'Maria Silva',
    patientPhone: '+351910000000',
    startsAt: sameTimeTomorrow(now).toISOString(),
  });
  return [
    `curl -sS -X POST ${apiUrl}/v1/appointments \\`,
    `  -H 'Authorization: Bearer ${clinic.pmsKey}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
}

/** The time of the first booking, on the half hour. It is later with each start, so that the slot is free. */
function sameTimeTomorrow(now: Date): Date {
  return new Date(Math.ceil(now.getTime() / HALF_HOUR_MS) * HALF_HOUR_MS + 48 * HALF_HOUR_MS);
}
