import { connect } from 'node:net';
import { spawn, type StdioOptions } from 'node:child_process';
import { devNull } from 'node:os';
import { Connection } from '@temporalio/client';
import { ConfigError } from '../../adapters/config/read-config.ts';
import type { LauncherConfig } from '../config.ts';
import { freePort } from '../processes/free-port.ts';
import type { ProcessSpec } from '../processes/supervised-process.ts';
import { untilProbeSucceeds } from '../processes/until-ready.ts';
import type { Report } from '../report.ts';
import { findTemporalProgram } from './find-temporal-program.ts';
import { TEMPORAL_CLI } from './temporal-programs.ts';

const PREFERRED_PORT = 7_233;
const PREFERRED_UI_PORT = 8_233;

/**
 * Flags that allow nearly twice as many workflow starts as the default. Killing the server loses nothing; a crash of
 * the machine may lose the last moments, which the hourly reconciliation repairs.
 */
const STATE_FILE_FLAGS = ['--sqlite-pragma=journal_mode=wal', '--sqlite-pragma=synchronous=1'];

/**
 * The user's Temporal (spec null), or an embedded server with its process; `find-temporal-program.ts` finds the
 * program.
 */
export async function chooseTemporal(config: LauncherConfig, report: Report, stopping: AbortSignal) {
  const { temporalAddress, temporalNamespace: namespace, directory } = config;
  if (temporalAddress !== undefined) {
    report.line(`Temporal: yours, ${temporalAddress}, from TEMPORAL_ADDRESS`);
    return {
      address: { address: temporalAddress, uiUrl: config.temporalUiUrl, isEmbedded: false },
      spec: null,
    };
  }
  const program = await findTemporalProgram(TEMPORAL_CLI, config.environment, report, stopping);
  const port = await freePort('127.0.0.1', PREFERRED_PORT);
  const uiPort = await freePort('127.0.0.1', PREFERRED_UI_PORT);
  const address = `127.0.0.1:${port}`;
  report.line(`Temporal: embedded server, ${address} (${program.origin})`);
  const place = ['--ip', '127.0.0.1', '--ui-port', String(uiPort), '--db-filename', directory.temporalState];
  const options = { port, namespace, flags: [...place, ...STATE_FILE_FLAGS] };
  const spec: ProcessSpec = {
    name: 'Temporal',
    spawn: (log) => startTemporalServer(program.path, options, ['ignore', log, log]),
    untilReady: (child) => untilProbeSucceeds(child, () => untilTemporalAnswers(address, namespace)),
    stopSignal: 'SIGTERM',
    stopLimitMs: 10_000,
    stage: 'engine',
    log: directory.log('temporal'),
  };
  return { address: { address, uiUrl: `http://127.0.0.1:${uiPort}`, isEmbedded: true }, spec };
}

/** @throws ConfigError when the user's Temporal cannot be used */
export async function requireOwnTemporal({ temporalAddress }: LauncherConfig): Promise<void> {
  if (temporalAddress !== undefined && !(await isTemporalUp(temporalAddress)))
    throw new ConfigError([`TEMPORAL_ADDRESS: nothing answers at ${temporalAddress}`]);
}

const TIMEOUT_MS = 1_000;

/** An HTTP/2 client's first bytes: the preface and an empty SETTINGS frame (RFC 9113, section 3.4). */
const GREETING = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');

/**
 * Whether a server at `host:port` answers a greeting or at least closes the connection, as TLS servers do. A frozen one
 * accepts connections and stays silent. Never throws.
 */
export function isTemporalUp(address: string): Promise<boolean> {
  const separator = address.lastIndexOf(':');
  const host = address.slice(0, separator).replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port: Number(address.slice(separator + 1)), timeout: TIMEOUT_MS });
  let isConnected = false;
  socket.once('connect', () => {
    isConnected = true;
    socket.write(GREETING);
  });
  socket.once('data', () => resolve(true));
  socket.once('timeout', () => resolve(false));
  socket.on('error', () => resolve(isConnected));
  socket.once('end', () => resolve(true));
  return promise.finally(() => socket.destroy());
}

const DYNAMIC_CONFIG = [
  // Otherwise the server would ask a host on the internet for updates.
  'frontend.enableServerVersionCheck=false',
  // As in production. By default this server reads them with every request, which takes a sixth of its CPU.
  'system.forceSearchAttributesCacheRefreshOnRead=false',
  'system.forceNexusEndpointRefreshOnRead=false',
  // Clinics alternate in the queues: `deliveryStart` in worker/temporal/workflow-starts.ts.
  'matching.enableFairness=true',
];

/** @param flags listen address, state file, UI and search attributes */
export function startTemporalServer(
  program: string,
  { port, namespace, flags }: { port: number; namespace: string; flags: readonly string[] },
  stdio: StdioOptions,
) {
  const common = [
    '--port',
    String(port),
    '--namespace',
    namespace,
    '--log-level',
    'warn',
    '--log-format',
    'json',
  ];
  const settings = DYNAMIC_CONFIG.map((value) => `--dynamic-config-value=${value}`);
  return spawn(program, ['server', 'start-dev', ...common, ...flags, ...settings], {
    stdio,
    detached: true,
    env: { ...process.env, TEMPORAL_CONFIG_FILE: devNull },
  });
}

/** Waits until the namespace is usable, shortly after the port opens. */
export async function untilTemporalAnswers(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '2s' });
  try {
    await connection.workflowService.describeNamespace({ namespace });
  } finally {
    await connection.close();
  }
}
