import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { CoreMigration } from './migrations/migration-001-core.ts';
import { CallsMigration } from './migrations/migration-002-calls.ts';
import { RequestsMigration } from './migrations/migration-003-requests.ts';
import { WebhookHealthMigration } from './migrations/migration-004-webhook-health.ts';
import { RecallMigration } from './migrations/migration-005-recall.ts';
import { ListIndexesMigration } from './migrations/migration-006-list-indexes.ts';
import { FairOutboxMigration } from './migrations/migration-007-fair-outbox.ts';
import { KeysLastMigration } from './migrations/migration-008-keys-last.ts';
import { FirstAttemptsMigration } from './migrations/migration-009-first-attempts.ts';
import { RecordingRemovalsMigration } from './migrations/migration-010-recording-removals.ts';

/** In the order in which they run; a name, once released, never changes. */
const MIGRATIONS = [
  { name: '001-core', class: CoreMigration },
  { name: '002-calls', class: CallsMigration },
  { name: '003-requests', class: RequestsMigration },
  { name: '004-webhook-health', class: WebhookHealthMigration },
  { name: '005-recall', class: RecallMigration },
  { name: '006-list-indexes', class: ListIndexesMigration },
  { name: '007-fair-outbox', class: FairOutboxMigration },
  { name: '008-keys-last', class: KeysLastMigration },
  { name: '009-first-attempts', class: FirstAttemptsMigration },
  { name: '010-recording-removals', class: RecordingRemovalsMigration },
];

function openMigrator(databaseUrl: string): Promise<MikroORM> {
  return MikroORM.init({
    clientUrl: databaseUrl,
    entities: [],
    extensions: [Migrator],
    ensureDatabase: false,
    logger: () => undefined,
    discovery: { warnWhenNoEntities: false },
    migrations: { migrationsList: MIGRATIONS, snapshot: false, transactional: true, allOrNothing: true },
  });
}

/** Brings the schema up to date and returns the names of the migrations that ran. Safe to run from two places at once. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const orm = await openMigrator(databaseUrl);
  try {
    const ran = await orm.migrator.up();
    return ran.map((migration) => migration.name);
  } finally {
    await orm.close(true);
  }
}

/** The names of the migrations that the database still lacks. */
export async function pendingMigrations(databaseUrl: string): Promise<string[]> {
  const orm = await openMigrator(databaseUrl);
  try {
    const pending = await orm.migrator.getPending();
    return pending.map((migration) => migration.name);
  } finally {
    await orm.close(true);
  }
}
