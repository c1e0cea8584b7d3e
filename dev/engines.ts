import { prepareEmbeddedPostgres, untilPostgresAnswers } from './postgres/embedded-postgres.ts';
import { findTemporalProgram } from './temporal/find-temporal-program.ts';
import { freePort } from './processes/free-port.ts';
import type { LauncherConfig } from './config.ts';
import type { DataDirectory } from './data-directory/data-directory.ts';
import type { LocalKeys } from './data-directory/local-keys.ts';
import type { Report } from './report.ts';
import type { ProcessSpec } from './processes/supervised-process.ts';
import { TEMPORAL_CLI } from './temporal/temporal-programs.ts';
import { startTemporalServer, untilTemporalAnswers } from './temporal/temporal-server.ts';
import { untilProbeSucceeds } from './processes/until-ready.ts';

const LOOPBACK = '127.0.0.1';
const POSTGRES_PORT = 54_320;
const TEMPORAL_PORT = 7_233;
const TEMPORAL_UI_PORT = 8_233;
const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;

/** A part that others use: where it is, and how to run it unless someone else does. */
export type Engine<Address> = { address: Address; spec: ProcessSpec | null };
export type TemporalAddress = { address: string; uiUrl: string | null; isEmbedded: boolean };

export async function choosePostgres(
  config: LauncherConfig,
  directory: DataDirectory,
  keys: LocalKeys,
  report: Report,
): Promise<Engine<string>> {
  if (config.databaseUrl !== undefined) {
    report.line('PostgreSQL: yours, from DATABASE_URL');
    return { address: config.databaseUrl, spec: null };
  }
  const postgres = await prepareEmbeddedPostgres({
    directory: directory.postgres,
    password: keys.databasePassword,
    database: 'clinic',
    settings: { log_line_prefix: '%m [%p] ', log_min_messages: 'warning' },
  });
  const port = await freePort(LOOPBACK, POSTGRES_PORT);
  report.line(`PostgreSQL: embedded, ${LOOPBACK}:${port}, in ${directory.postgres}`);
  const address = postgres.databaseUrl(port);
  const spec: ProcessSpec = {
    name: 'PostgreSQL',
    spawn: (log) => postgres.start(port, ['ignore', log, log]),
    untilReady: (child) => untilProbeSucceeds(child, READY_LIMIT_MS, () => untilPostgresAnswers(address)),
    // PostgreSQL's "fast shutdown": ends open connections, then writes everything out.
    stopSignal: 'SIGINT',
    stopLimitMs: STOP_LIMIT_MS,
    stage: 'engine',
    log: directory.log('postgres'),
  };
  return { address, spec };
}

export async function chooseTemporal(
  config: LauncherConfig,
  directory: DataDirectory,
  report: Report,
  stopping: AbortSignal,
): Promise<Engine<TemporalAddress>> {
  if (config.temporalAddress !== undefined) {
    report.line(`Temporal: yours, ${config.temporalAddress}, from TEMPORAL_ADDRESS`);
    const uiUrl = config.temporalUiUrl ?? null;
    return { address: { address: config.temporalAddress, uiUrl, isEmbedded: false }, spec: null };
  }
  const program = await findTemporalProgram(TEMPORAL_CLI, config.environment, report, stopping);
  const [port, uiPort] = [
    await freePort(LOOPBACK, TEMPORAL_PORT),
    await freePort(LOOPBACK, TEMPORAL_UI_PORT),
  ];
  const address = `${LOOPBACK}:${port}`;
  report.line(`Temporal: embedded server, ${address} (${program.origin})`);
  const options = {
    port,
    uiPort,
    namespace: config.temporalNamespace,
    stateFile: directory.temporalState,
    searchAttributes: {},
  };
  const spec: ProcessSpec = {
    name: 'Temporal',
    spawn: (log) => startTemporalServer(program.path, options, ['ignore', log, log]),
    untilReady: (child) =>
      untilProbeSucceeds(child, READY_LIMIT_MS, () =>
        untilTemporalAnswers(address, config.temporalNamespace),
      ),
    stopSignal: 'SIGTERM',
    stopLimitMs: STOP_LIMIT_MS,
    stage: 'engine',
    log: directory.log('temporal'),
  };
  return { address: { address, uiUrl: `http://${LOOPBACK}:${uiPort}`, isEmbedded: true }, spec };
}
