import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { migrate } from '../../../db/migrate.ts';
import { withLog } from '../../../dev/data-directory/log-file.ts';
import { prepareEmbeddedPostgres, untilPostgresAnswers } from '../../../dev/postgres/embedded-postgres.ts';
import { anyPort } from '../../../dev/processes/free-port.ts';
import type { Guard } from '../../../dev/processes/guard.ts';
import { answering, watch } from '../servers/server-process.ts';
import { TEMPLATE_DATABASE } from './test-environment.ts';

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

/** A server with the migrated database that tests clone. */
export async function startTestPostgres(directory: string, guard: Guard) {
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
