import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type MigrationsOptions } from '@mikro-orm/postgresql';
import { clientOfHosts, answerOf, withClient, DatabaseHosts } from './connection/hosts.ts';
import { codeOf } from './connection/database-errors.ts';
import { refuseUnreleasedSchema } from './unreleased-schema.ts';

/** Migrations run in the order of their file names, which never change after a release. */
const MIGRATIONS: MigrationsOptions = {
  path: join(import.meta.dirname, 'migrations'),
  glob: '[0-9][0-9][0-9]-*.ts',
};

/**
 * How long a migration waits for a lock. Bookings wait behind a waiting migration, so this is shorter than their own
 * limit.
 */
const LOCK_TIMEOUT_MS = 2000;
/** SQLSTATE. */
const LOCK_NOT_AVAILABLE = '55P03';
const ATTEMPTS = 10;
const PAUSE_MS = 1000;

/**
 * Runs pending migrations and returns their names. Concurrent calls wait for each other. If a migration fails, the
 * completed ones are kept. Throws SQLSTATE 55P03 when a lock is not available within half a minute; then run `migrate`
 * again.
 * @throws UnreleasedSchemaError
 */
export function migrate(databaseUrl: string, migrations = MIGRATIONS): Promise<string[]> {
  const hosts = new DatabaseHosts(databaseUrl);
  return withMigrationLock(hosts, () =>
    withMigrator(hosts, migrations, async (migrator) => {
      const pending = await pendingNames(migrator);
      await upWithRetries(migrator);
      return pending;
    }),
  );
}

async function upWithRetries(migrator: MikroORM['migrator']): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await migrator.up();
      return;
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error;
      await delay(PAUSE_MS);
    }
  }
}

/**
 * The names of the pending migrations.
 * @throws UnreleasedSchemaError
 */
export function pendingMigrations(databaseUrl: string, migrations = MIGRATIONS): Promise<string[]> {
  return withMigrator(new DatabaseHosts(databaseUrl), migrations, pendingNames);
}

async function pendingNames(migrator: MikroORM['migrator']): Promise<string[]> {
  const executed = (await migrator.getExecuted()).map(({ name }) => name);
  refuseUnreleasedSchema(executed);
  return (await migrator.getPending()).map(({ name }) => name);
}

async function withMigrator<Result>(
  hosts: DatabaseHosts,
  migrations: MigrationsOptions,
  work: (migrator: MikroORM['migrator']) => Promise<Result>,
): Promise<Result> {
  const orm = await MikroORM.init({
    clientUrl: hosts.url,
    entities: [],
    extensions: [Migrator],
    ensureDatabase: false,
    logger: () => undefined,
    discovery: { warnWhenNoEntities: false },
    driverOptions: {
      Client: clientOfHosts(hosts, { lock_timeout: String(LOCK_TIMEOUT_MS) }),
      application_name: 'migrate',
    },
    migrations: {
      ...migrations,
      snapshot: false,
      transactional: true,
      allOrNothing: false,
    },
  });
  try {
    return await work(orm.migrator);
  } finally {
    await orm.close(true);
  }
}

const ASKED_AGAIN_AFTER_MS = 100;
const TAKE = `SELECT pg_try_advisory_lock(hashtextextended('clinic.migrations', 0))`;

/**
 * Runs `work` while no other migration runs on this database; waits as long as needed. The lock is released when its
 * connection closes.
 */
export function withMigrationLock<Result>(hosts: DatabaseHosts, work: () => Promise<Result>) {
  return withClient(hosts, { application_name: 'migration-lock' }, async (client) => {
    // A waiting statement has a snapshot, for which the other migrator's CREATE INDEX CONCURRENTLY would wait.
    while (!(await answerOf<boolean>(client, TAKE))) await delay(ASKED_AGAIN_AFTER_MS);
    return work();
  });
}
