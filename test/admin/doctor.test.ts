import { afterAll, expect, test } from '@jest/globals';
import { keepSchedules } from '../../adapters/temporal/schedules.ts';
import { migrate } from '../../db/migrate.ts';
import { anyPort } from '../../dev/processes/free-port.ts';
import { aClinic, anEndpoint } from '../support/clinic.ts';
import { createTestDatabase, openDatabaseAt } from '../support/database.ts';
import { createTestNamespace } from '../worker/test-namespace.ts';
import { adminWith, type Admin } from './admin-runs.ts';
import { forSuite } from '../support/for-suite.ts';
import { until } from '../support/until.ts';

interface Report {
  ok: boolean;
  checks: { name: string; ok: boolean; detail: string }[];
}

const OF_ROWS = [
  'walls',
  'outbox age',
  'outbox errors',
  'timers',
  'deliveries',
  'encryption keys',
  'endpoints',
].concat('no-shows');
const OF_DATABASE = ['database', 'migrations', ...OF_ROWS];
const OF_TEMPORAL = ['temporal', 'search attributes', 'schedules', 'workers', 'workflows'];

const [testDatabase, namespace] = await Promise.all([forSuite(createTestDatabase()), createTestNamespace()]);
await namespace.temporal.ask(keepSchedules);
const database = await forSuite(openDatabaseAt(testDatabase.url));

afterAll(() => namespace.temporal[Symbol.asyncDispose]());

test('a healthy service whose worker is not started yet passes every other check', async () => {
  const { exitCode, report } = await examine(adminWith(healthy()));
  expect(report.checks.filter(({ ok }) => !ok)).toMatchObject([{ name: 'workers' }]);
  expect(report.ok).toBe(false);
  expect(exitCode).toBe(1);
  expect(report.checks.map(({ name }) => name)).toEqual([...OF_DATABASE, ...OF_TEMPORAL]);
});

test('old and failing outbox rows are found, and their last error is told', async () => {
  await database.em().execute(
    `INSERT INTO outbox (message, failures, last_error, created_at)
     VALUES ('{"kind": "stopDelivery", "workflowId": "w"}', 3, 'namespace not found', now() - interval '2 minutes')`,
  );
  const { exitCode, report } = await examine(adminWith(healthy()));
  await database.em().execute('DELETE FROM outbox');
  expect(failedChecks(report)).toEqual(['outbox age', 'outbox errors', 'workers']);
  expect(detailOf(report, 'outbox age')).toMatch(/^1 waiting, the oldest for 1[2-9]\d s/);
  expect(detailOf(report, 'outbox errors')).toContain('namespace not found');
  expect(exitCode).toBe(1);
});

test('an endpoint that should be off and a mail that was not sent are named, with the reason', async () => {
  const { tenantId } = await aClinic(database);
  const endpointId = await anEndpoint(database, tenantId);
  await database.em().execute(
    `UPDATE webhook_endpoint
     SET status = 'failing', failing_since = now() - interval '1 day', deactivate_at = now() - interval '5 minutes'
     WHERE id = ?`,
    [endpointId],
  );
  await database.em().execute(
    `INSERT INTO notification (id, tenant_id, kind, endpoint_id, endpoint_url, deactivate_at, mail, created_at)
     VALUES (uuid_v7(), ?, 'endpoint_failing', ?, 'https://receiver.example/hook', now(), 'due', now() - interval '1 hour')`,
    [tenantId, endpointId],
  );
  const { report } = await examine(adminWith(healthy()));
  await database.em().execute('DELETE FROM notification; DELETE FROM webhook_endpoint');
  expect(failedChecks(report)).toEqual(['endpoints', 'workers']);
  const lost = `endpoint:${endpointId} is not running; the schedule reconcile`;
  expect(detailOf(report, 'endpoints')).toMatch(
    RegExp(
      `^1 endpoints to be disabled, overdue for up to 30\\d s \\(${endpointId}\\): .*${lost}.*; 1 emails to be sent, .*${lost}`,
    ),
  );
});

test('with Temporal away the other parts are still examined', async () => {
  const port = await anyPort('127.0.0.1');
  const { exitCode, report } = await examine(
    adminWith({ ...healthy(), TEMPORAL_ADDRESS: `127.0.0.1:${port}` }),
  );
  expect(failedChecks(report)).toEqual(OF_TEMPORAL);
  expect(detailOf(report, 'temporal')).toContain(`127.0.0.1:${port}`);
  expect(exitCode).toBe(1);
});

test('a namespace that does not exist is named', async () => {
  const { report } = await examine(adminWith({ ...healthy(), TEMPORAL_NAMESPACE: 'nowhere' }));
  expect(failedChecks(report)).toEqual(OF_TEMPORAL);
  expect(detailOf(report, 'temporal')).toContain('nowhere');
});

test('a schedule that is missing or paused is named', async () => {
  const { temporal } = namespace;
  const reported = (detail: string) =>
    until(detail, async () => detailOf((await examine(adminWith(healthy()))).report, 'schedules') === detail);
  // Temporal shows a pause a moment later, and forgets one that arrives together with an update.
  await temporal.ask(({ schedule }) => schedule.getHandle('reconcile').pause());
  await reported('paused: reconcile');
  await temporal.ask(({ schedule }) => schedule.getHandle('reconcile').unpause());
  await until(
    'no pause',
    async () => !failedChecks((await examine(adminWith(healthy()))).report).includes('schedules'),
  );

  await temporal.ask(({ schedule }) => schedule.getHandle('recall-scan').delete());
  const { exitCode, report } = await examine(adminWith(healthy()));
  expect(failedChecks(report)).toEqual(['schedules', 'workers']);
  expect(detailOf(report, 'schedules')).toBe('run "npm run temporal:setup"; missing schedules: recall-scan');
  expect(exitCode).toBe(1);
  await temporal.ask(keepSchedules);
  const { report: complete } = await examine(adminWith(healthy()));
  expect(failedChecks(complete)).toEqual(['workers']);
});

test('with the database away Temporal is still examined', async () => {
  const port = await anyPort('127.0.0.1');
  const { exitCode, report } = await examine(
    adminWith({ ...healthy(), DATABASE_URL: `postgresql://nobody:secret@127.0.0.1:${port}/none` }),
  );
  expect(failedChecks(report)).toEqual([...OF_DATABASE, 'workers']);
  expect(JSON.stringify(report)).not.toContain('secret');
  expect(exitCode).toBe(1);
});

test('a schema that is behind is told, with the command that helps', async () => {
  const empty = await createTestDatabase();
  const emptied = await openDatabaseAt(empty.url);
  await emptied.em().execute('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const { report } = await examine(adminWith({ ...healthy(), DATABASE_URL: empty.url }));
  expect(failedChecks(report)).toEqual(['migrations', ...OF_ROWS, 'workers']);
  expect(detailOf(report, 'migrations')).toContain('npm run migrate');
  await migrate(empty.url);
  const { report: after } = await examine(adminWith({ ...healthy(), DATABASE_URL: empty.url }));
  expect(failedChecks(after)).toEqual(['workers']);
  await emptied[Symbol.asyncDispose]();
  await empty[Symbol.asyncDispose]();
});

function healthy(): Record<string, string> {
  return {
    DATABASE_URL: testDatabase.url,
    TEMPORAL_ADDRESS: namespace.address,
    TEMPORAL_NAMESPACE: namespace.namespace,
  };
}

async function examine(admin: Admin): Promise<{ exitCode: number | null; report: Report }> {
  const { exitCode, stdout } = await admin('doctor');
  return { exitCode, report: JSON.parse(stdout) as Report };
}

/** `workers` is always among them: no worker runs here. */
function failedChecks({ checks }: Report): string[] {
  return checks.filter(({ ok }) => !ok).map(({ name }) => name);
}

function detailOf({ checks }: Report, wanted: string): string {
  return checks.find(({ name }) => name === wanted)?.detail ?? '';
}
