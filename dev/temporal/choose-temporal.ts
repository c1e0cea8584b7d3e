import { isTemporalUp } from './is-temporal-up.ts';
import { ConfigError } from '../../adapters/config/read-config.ts';
import type { LauncherConfig } from '../config.ts';
import { freePort } from '../processes/free-port.ts';
import type { ProcessSpec } from '../processes/supervised-process.ts';
import { untilProbeSucceeds } from '../processes/until-ready.ts';
import type { Report } from '../report.ts';
import { findTemporalProgram } from './find-temporal-program.ts';
import { TEMPORAL_CLI } from './temporal-programs.ts';
import { startTemporalServer, untilTemporalAnswers } from './temporal-server.ts';

const PREFERRED_PORT = 7_233;
const PREFERRED_UI_PORT = 8_233;

/**
 * Nearly twice the workflow starts of the default. Killing the server loses nothing; only a crash of the whole machine may cost the
 * last moments, and what is missing then the hourly reconciliation starts again.
 */
const STATE_FILE_FLAGS = ['--sqlite-pragma=journal_mode=wal', '--sqlite-pragma=synchronous=1'];

/** The user's Temporal (spec null), else an embedded server and how to run it; `find-temporal-program.ts` finds its program. */
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
