import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTemporalProgram } from '../../../dev/temporal/find-temporal-program.ts';
import { anyPort } from '../../../dev/processes/free-port.ts';
import { startGuard, type Guard } from '../../../dev/processes/guard.ts';
import { withLog } from '../../../dev/data-directory/log-file.ts';
import { reportTo } from '../../../dev/report.ts';
import { pinnedWheel, TEMPORAL_CLI, type TemporalProgram } from '../../../dev/temporal/temporal-programs.ts';
import { startTemporalServer, untilTemporalAnswers } from '../../../dev/temporal/choose-temporal.ts';
import { searchAttributeFlags } from './search-attributes.ts';
import { databaseDirectory } from './database-directory.ts';
import { answering, watch } from '../servers/server-process.ts';
import { startTestPostgres } from './test-postgres.ts';
import { TEST_TEMPORAL_NAMESPACE, type TestEnvironment } from './test-environment.ts';

/** Skips the waiting time of workflows; only for tests. */
export const TIME_SKIPPING_SERVER: TemporalProgram = {
  command: 'temporal-test-server',
  sdkServer: 'time-skipping',
  pypi: pinnedWheel('test/support/environment/requirements.txt'),
  minimumVersion: null,
};

export type TestServers = { environment: TestEnvironment; stop: () => Promise<void> };

export async function startTestServers(): Promise<TestServers> {
  const directory = await mkdtemp(join(tmpdir(), 'clinic-test-'));
  const databases = await databaseDirectory('clinic-test');
  const guard = startGuard();
  for (const each of [directory, databases]) {
    guard.removeAtEnd(each);
    // PostgreSQL may run under another account, which must be able to enter.
    await chmod(each, 0o755);
  }
  try {
    const [postgres, temporal, timeSkippingProgram] = await Promise.all([
      startTestPostgres(databases, guard),
      startTemporal(directory, guard),
      prepareTimeSkippingServer(directory, guard),
    ]);
    return {
      environment: {
        TEST_DIRECTORY: directory,
        TEST_TEMPLATE_URL: postgres.templateUrl,
        TEST_POSTGRES_LOG: postgres.log,
        ...temporal,
        ...timeSkippingProgram,
      },
      stop: () => guard.close(),
    };
  } catch (error) {
    await guard.close();
    throw error;
  }
}

async function startTemporal(directory: string, guard: Guard) {
  const { path } = await findTemporalProgram(
    TEMPORAL_CLI,
    process.env,
    reportTo(process.stderr),
    new AbortController().signal,
  );
  const [log, port] = [join(directory, 'temporal.log'), await anyPort('127.0.0.1')];
  const flags = ['--ip', '127.0.0.1', '--headless', ...searchAttributeFlags()];
  const options = { port, namespace: TEST_TEMPORAL_NAMESPACE, flags };
  const child = withLog(log, (file) => startTemporalServer(path, options, ['ignore', file, file]));
  watch(guard, child, 'SIGTERM');
  const address = `127.0.0.1:${port}`;
  await answering(child, log, () => untilTemporalAnswers(address, options.namespace));
  return { TEST_TEMPORAL_ADDRESS: address };
}

/**
 * The SDK starts the time-skipping server inside each suite. It gets a script that records the server's pid, so that
 * the guard can end it after an interrupted suite.
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
