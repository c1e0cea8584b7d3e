import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { AuditEventEntity } from '../../db/entities/audit-event.entity.ts';
import { insertPatientReads, prunePatientReads } from '../../db/patient-reads/patient-reads.ts';
import { firstIdAt } from '../../domain/first-id.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { createApiKey } from '../../commands/clinic/create-api-key.ts';
import { SCOPES } from '../../domain/clinic/api-scopes.ts';
import { aClinic, asOperator, book } from '../support/clinic.ts';
import { createTestDatabase, openDatabaseAt } from '../support/database.ts';
import { forSuite } from '../support/for-suite.ts';

const ROLE = `app_${randomBytes(6).toString('hex')}`;

const testDatabase = await forSuite(createTestDatabase());
const owner = new Client({ connectionString: testDatabase.url });
await owner.connect();
await owner.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${ROLE}'`);
afterAll(async () => {
  await owner.query(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`);
  await owner.end();
});

/** `npm run migrate` as the owner runs it. */
async function migrateFor(role: string): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, ['admin/migrate-main.ts'], {
    cwd: PROJECT_ROOT,
    env: { DATABASE_URL: testDatabase.url, DATABASE_APPLICATION_ROLE: role },
  });
  expect(JSON.parse(stdout)).toEqual({ migrated: [] });
}

/** Entries of that many days ago, for each number. */
async function anEntry(...daysAgo: number[]): Promise<void> {
  await owner.query(
    `INSERT INTO audit_event (at, actor, action)
     SELECT now() - make_interval(days => days), 'operator:ana', 'tenant.updated' FROM unnest($1::integer[]) AS days`,
    [daysAgo],
  );
}

async function entries(): Promise<number> {
  const { rows } = await owner.query<{ count: number }>('SELECT count(*)::integer AS count FROM audit_event');
  return rows[0]?.count ?? NaN;
}

test('the owner of the schema cannot change, delete or truncate entries either', async () => {
  await anEntry(0, 364, 800);
  for (const statement of [
    `UPDATE audit_event SET actor = 'operator:other'`,
    `UPDATE audit_event SET actor = 'operator:other' WHERE at < now() - interval '2 years'`,
    'DELETE FROM audit_event',
    'TRUNCATE audit_event',
  ]) {
    await expect(owner.query(statement)).rejects.toMatchObject({
      code: '42501',
      message: 'audit_event is append-only',
    });
  }
  expect(await entries()).toBe(3);
});

test('retention takes the oldest, so many at a time, and nothing that is younger than a year', async () => {
  await owner.query(`SELECT prune_audit_events(366, 1000)`);
  await anEntry(500, 600, 700);
  const pruned = async (days: number, atMost: number) => {
    const { rows } = await owner.query<{ pruned: number }>('SELECT prune_audit_events($1, $2) AS pruned', [
      days,
      atMost,
    ]);
    return rows[0]?.pruned;
  };
  expect(await pruned(550, 1)).toBe(1);
  expect([await pruned(550, 10), await pruned(550, 10)]).toEqual([1, 0]);
  await expect(pruned(30, 10)).rejects.toMatchObject({ code: '42501' });
  expect(await pruned(366, 10)).toBe(1);
  expect(await entries()).toBe(2);
});

test('the processes work with a role that may add to the audit and read it, and neither change nor remove', async () => {
  await migrateFor(ROLE);
  await migrateFor(ROLE);
  const url = new URL(testDatabase.url);
  [url.username, url.password] = [ROLE, ROLE];
  await using database = await openDatabaseAt(url.href, { applicationName: 'test-role' });
  expect(await pendingMigrations(url.href)).toEqual([]);
  const clinic = await aClinic(database);
  await book(database, clinic);
  const input = {
    tenantId: clinic.tenantId,
    name: 'test',
    scopes: SCOPES,
    expiresAt: null,
    mode: 'test' as const,
  };
  const { row } = await database.write((em) => createApiKey(em, input, asOperator()));
  expect(await database.em().find(AuditEventEntity, { subjectId: row.id })).toMatchObject([
    { action: 'api_key.created', actor: 'operator', tenantId: clinic.tenantId },
  ]);

  await anEntry(900);
  for (const statement of [
    'UPDATE audit_event SET actor = actor',
    `DELETE FROM audit_event WHERE at < now() - interval '2 years'`,
    'TRUNCATE audit_event',
    'UPDATE patient_read SET actor = actor',
    'TRUNCATE patient_read',
    'DELETE FROM mikro_orm_migrations',
    'DROP TABLE audit_event',
    'ALTER TABLE audit_event DISABLE TRIGGER ALL',
  ]) {
    await expect(database.em().execute(statement)).rejects.toThrow(/permission denied|must be owner/);
  }
  const [{ pruned } = { pruned: 0 }] = await database
    .em()
    .execute<{ pruned: number }[]>('SELECT prune_audit_events(800, 10) AS pruned');
  expect(pruned).toBe(1);
  const read = { id: firstIdAt(new Date(0)), tenantId: clinic.tenantId, actor: 'key:x' };
  const shown = { kind: 'appointment' as const, subjectIds: [], requestIds: [] };
  await insertPatientReads(database.em(), [{ ...read, ...shown }]);
  expect(await prunePatientReads(database.em(), { olderThanDays: 731, limit: 10 })).toBe(1);
});
