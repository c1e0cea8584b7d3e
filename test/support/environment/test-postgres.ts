import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogins } from '../../../db/create-logins.ts';
import { migrate } from '../../../db/migrate.ts';
import { withLog } from '../../../dev/data-directory/log-file.ts';
import { prepareEmbeddedPostgres, untilPostgresAnswers } from '../../../dev/postgres/embedded-postgres.ts';
import { anyPort } from '../../../dev/processes/free-port.ts';
import { startGuard, type Guard } from '../../../dev/processes/guard.ts';
import { GUEST_LOGIN } from '../guest-login.ts';
import { answering, watch } from '../servers/server-process.ts';
import { databaseDirectory } from './database-directory.ts';
import { TEMPLATE_DATABASE } from './test-environment.ts';

/** Tests create their data in every run, so nothing must survive a crash of the machine. */
const POSTGRES_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  log_min_messages: 'warning',
  // Tests that look for deadlocks read this log.
  deadlock_timeout: '200ms',
};

export interface TestPostgres {
  /** The migrated database that tests clone. */
  templateUrl: string;
  log: string;
  /** `immediate`: as after a crash. Waits for the end. */
  stop(how: 'immediate' | 'fast'): Promise<void>;
  /** Restarts it at the same address. */
  start(): Promise<void>;
}

/** @param settings in addition to the usual ones */
export async function startTestPostgres(
  directory: string,
  guard: Guard,
  settings: Record<string, string> = {},
): Promise<TestPostgres> {
  const log = join(directory, 'postgres.log');
  const postgres = await prepareEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    password: randomBytes(16).toString('hex'),
    database: TEMPLATE_DATABASE,
    settings: { ...POSTGRES_SETTINGS, ...settings },
  });
  const port = await anyPort('127.0.0.1');
  const templateUrl = postgres.databaseUrl(port);
  const start = async () => {
    const child = withLog(log, (file) => postgres.start(port, ['ignore', file, file]));
    watch(guard, child, 'SIGQUIT');
    await answering(child, log, () => untilPostgresAnswers(templateUrl));
    return child;
  };
  let child = await start();
  await migrate(templateUrl);
  await createLogins(templateUrl, { public: GUEST_LOGIN }, 'clinic_app');
  return {
    templateUrl,
    log,
    async stop(how) {
      const ended = once(child, 'exit');
      child.kill(how === 'immediate' ? 'SIGQUIT' : 'SIGINT');
      await ended;
    },
    async start() {
      child = await start();
    },
  };
}

/** A server for one suite: stopping the shared one would stop all tests. */
export async function startOwnPostgres(
  settings: Record<string, string> = {},
): Promise<TestPostgres & { directory: string; close(): Promise<void> }> {
  const directory = await databaseDirectory('clinic-postgres');
  // PostgreSQL may run under another account, which must be able to enter.
  await chmod(directory, 0o755);
  const guard = startGuard();
  guard.removeAtEnd(directory);
  return {
    directory,
    ...(await startTestPostgres(directory, guard, settings)),
    close: () => guard.close(),
  };
}
