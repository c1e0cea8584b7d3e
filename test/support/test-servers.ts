import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { prepareEmbeddedPostgres, untilPostgresAnswers } from '../../dev/postgres/embedded-postgres.ts';
import { findTemporalProgram } from '../../dev/temporal/find-temporal-program.ts';
import { anyPort } from '../../dev/processes/free-port.ts';
import { startGuard, type Guard } from '../../dev/processes/guard.ts';
import { lastLines, withLog } from '../../dev/data-directory/log-file.ts';
import { reportTo } from '../../dev/report.ts';
import { TEMPORAL_CLI, TIME_SKIPPING_SERVER } from '../../dev/temporal/temporal-programs.ts';
import { startTemporalServer, untilTemporalAnswers } from '../../dev/temporal/temporal-server.ts';
import { untilProbeSucceeds } from '../../dev/processes/until-ready.ts';
import { temporalCliAttributes } from './search-attributes.ts';
import { TEMPLATE_DATABASE, TEST_TEMPORAL_NAMESPACE, type TestEnvironment } from './test-environment.ts';

/** Tests build their data anew in every run, so nothing needs to survive a crash of the machine. */
const POSTGRES_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  log_min_messages: 'warning',
  // A test that claims to hold no deadlock reads this log.
  deadlock_timeout: '200ms',
};

export type TestServers = { environment: TestEnvironment; stop: () => Promise<void> };

export async function startTestServers(): Promise<TestServers> {
  const directory = await mkdtemp(join(tmpdir(), 'clinic-test-'));
  const guard = startGuard();
  guard.removeAtEnd(directory);
  // PostgreSQL may run under another account, which has to pass through here.
  await chmod(directory, 0o755);
  try {
    const [postgres, temporal, timeSkippingProgram] = await Promise.all([
      startPostgres(directory, guard),
      startTemporal(directory, guard),
      prepareTimeSkippingServer(directory, guard),
    ]);
    return { environment: { ...postgres, ...temporal, ...timeSkippingProgram }, stop: () => guard.close() };
  } catch (error) {
    await guard.close();
    throw error;
  }
}

async function startPostgres(directory: string, guard: Guard) {
  const log = join(directory, 'postgres.log');
  const postgres = await prepareEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    password: randomBytes(16).toString('hex'),
    database: TEMPLATE_DATABASE,
    settings: POSTGRES_SETTINGS,
  });
  const port = await anyPort('127.0.0.1');
  const child = withLog(log, (file) => postgres.start(port, ['ignore', file, file]));
  watch(guard, child, 'SIGQUIT');
  const templateUrl = postgres.databaseUrl(port);
  await answering(child, log, () => untilPostgresAnswers(templateUrl));
  await migrate(templateUrl);
  return { TEST_TEMPLATE_URL: templateUrl, TEST_POSTGRES_LOG: log };
}

async function startTemporal(directory: string, guard: Guard) {
  const { path } = await findTemporalProgram(
    TEMPORAL_CLI,
    process.env,
    reportTo(process.stderr),
    new AbortController().signal,
  );
  const [log, port] = [join(directory, 'temporal.log'), await anyPort('127.0.0.1')];
  const options = {
    port,
    uiPort: null,
    namespace: TEST_TEMPORAL_NAMESPACE,
    stateFile: null,
    searchAttributes: temporalCliAttributes(),
  };
  const child = withLog(log, (file) => startTemporalServer(path, options, ['ignore', file, file]));
  watch(guard, child, 'SIGTERM');
  const address = `127.0.0.1:${port}`;
  await answering(child, log, () => untilTemporalAnswers(address, options.namespace));
  return { TEST_TEMPORAL_ADDRESS: address };
}

/**
 * The SDK starts the time-skipping server inside each suite. It gets a script that leaves its pid, which the server keeps, so that
 * the guard can end a server whose suite was interrupted.
 */
async function prepareTimeSkippingServer(directory: string, guard: Guard) {
  const { path } = await findTemporalProgram(
    TIME_SKIPPING_SERVER,
    process.env,
    reportTo(process.stderr),
    new AbortController().signal,
  );
  const pids = join(directory, 'time-skipping-pids');
  const script = join(directory, 'time-skipping-server');
  await mkdir(pids);
  await writeFile(
    script,
    `#!/bin/sh\n: > '${pids}'/$$\nexec '${path}' "$@" >> '${directory}/time-skipping.log' 2>&1\n`,
  );
  await chmod(script, 0o755);
  guard.watchPidFiles(pids, path);
  return { TEST_TIME_SKIPPING_PROGRAM: script };
}

function watch(guard: Guard, child: ChildProcess, signal: 'SIGQUIT' | 'SIGTERM'): void {
  if (child.pid !== undefined) guard.watch(child.pid, signal, 'engine');
  // The servers live as long as the run; they must not keep an interrupted one from ending.
  child.unref();
}

async function answering(child: ChildProcess, log: string, probe: () => Promise<void>): Promise<void> {
  try {
    await untilProbeSucceeds(child, probe);
  } catch (error) {
    throw new Error(`a test server did not start; its log ends with:\n${lastLines(log, 20)}`, {
      cause: error,
    });
  }
}
