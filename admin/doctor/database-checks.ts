import { pendingMigrations } from '../../db/migrate.ts';
import { findOutboxBacklog, type OutboxBacklog } from '../../db/outbox/outbox-rows.ts';
import type { CommandDependencies } from '../command-dependencies.ts';
import { Ailment, check, unexamined, type Check } from './check.ts';

/** A running worker empties the outbox within a second or two. */
const HEALTHY_AGE_SECONDS = 60;

export async function databaseChecks({ database, databaseUrl }: CommandDependencies): Promise<Check[]> {
  const reachable = await check('database', async () => {
    await database.ping();
    return `answers at ${new URL(databaseUrl).host}`;
  });
  const migrations = reachable.ok
    ? await check('migrations', () => examineMigrations(databaseUrl))
    : unexamined('migrations', 'the database does not answer');
  return [reachable, migrations, ...(await outboxChecks(database, migrations))];
}

async function examineMigrations(databaseUrl: string): Promise<string> {
  const pending = await pendingMigrations(databaseUrl);
  if (pending.length > 0) throw new Ailment(`run "npm run migrate"; missing: ${pending.join(', ')}`);
  return 'up to date';
}

async function outboxChecks(database: CommandDependencies['database'], migrations: Check): Promise<Check[]> {
  if (!migrations.ok) {
    return ['outbox age', 'outbox errors'].map((name) =>
      unexamined(name, 'the schema is not known to be up to date'),
    );
  }
  const backlog = findOutboxBacklog(database.em());
  return Promise.all([
    check('outbox age', async () => describeAge(await backlog)),
    check('outbox errors', async () => describeErrors(await backlog)),
  ]);
}

function describeAge({ pending, oldestAgeSeconds }: OutboxBacklog): string {
  const detail = `${pending} waiting, the oldest for ${Math.round(oldestAgeSeconds)} s`;
  if (oldestAgeSeconds > HEALTHY_AGE_SECONDS) throw new Ailment(`${detail}; is a worker running?`);
  return detail;
}

function describeErrors({ failing, lastError }: OutboxBacklog): string {
  if (failing > 0) throw new Ailment(`${failing} failing, the oldest with: ${lastError}`);
  return 'none';
}
