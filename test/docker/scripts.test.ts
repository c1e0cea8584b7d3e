import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readFile, symlink, writeFile, mkdtempDisposable } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { Client } from 'pg';
import { findTemporalProgram } from '../../dev/temporal/find-temporal-program.ts';
import { silentReport } from '../../dev/report.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { TEMPORAL_CLI } from '../../dev/temporal/temporal-programs.ts';
import { createTestDatabase } from '../support/database.ts';
import { realTemporal } from '../support/temporal.ts';
import { forSuite } from '../support/for-suite.ts';

const DAY_SECONDS = 86_400;

const { path: programs } = await forSuite(mkdtempDisposable(join(tmpdir(), 'docker-test-')));
const testDatabase = await forSuite(createTestDatabase());

test('the namespace is created with 30 days of retention, and creating it again does no harm', async () => {
  const { path } = await findTemporalProgram(
    TEMPORAL_CLI,
    process.env,
    silentReport,
    new AbortController().signal,
  );
  await symlink(path, join(programs, 'temporal'));
  const namespace = `created-${randomUUID()}`;
  const environment = {
    TEMPORAL_ADDRESS: realTemporal().address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_CONFIG_FILE: devNull,
  };
  expect(await runScript('docker/temporal/create-namespace.sh', environment)).toBe(0);
  expect(await runScript('docker/temporal/create-namespace.sh', environment)).toBe(0);
  const connection = await Connection.connect({ address: realTemporal().address });
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  await connection.close();
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * DAY_SECONDS);
});

test("both of Temporal's databases get their tables", async () => {
  const record = join(programs, 'sql-tool-calls');
  await putProgram('temporal-sql-tool', `echo "$@" >> '${record}'`);
  expect(await runScript('docker/temporal/create-schema.sh', {})).toBe(0);
  const schema = '/etc/temporal/schema/postgresql/v12';
  expect((await readFile(record, 'utf8')).trim().split('\n')).toEqual([
    '--db temporal setup-schema -v 0.0',
    `--db temporal update-schema -d ${schema}/temporal/versioned`,
    '--db temporal_visibility setup-schema -v 0.0',
    `--db temporal_visibility update-schema -d ${schema}/visibility/versioned`,
  ]);
});

test('a schema that cannot be created fails the job', async () => {
  await putProgram('temporal-sql-tool', 'exit 1');
  expect(await runScript('docker/temporal/create-schema.sh', {})).not.toBe(0);
});

test('the service and Temporal get databases of their own that the other cannot enter', async () => {
  const suffix = randomUUID().slice(0, 8);
  const statements = await databaseScript(suffix, {
    clinic_password: "c'1",
    application_password: 'a3',
    temporal_password: 't2',
    monitoring_password: 'm4',
    backup_password: 'b5',
  });
  await onServer(testDatabase.url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
  try {
    expect(await canEnter(`clinic_${suffix}`, `clinic_${suffix}`, "c'1")).toBe(true);
    expect(await canEnter(`temporal_${suffix}`, `temporal_${suffix}`, 't2')).toBe(true);
    expect(await canEnter(`temporal_${suffix}`, `temporal_visibility_${suffix}`, 't2')).toBe(true);
    expect(await canEnter(`temporal_${suffix}`, `clinic_${suffix}`, 't2')).toBe(false);
    expect(await canEnter(`clinic_${suffix}`, `temporal_${suffix}`, "c'1")).toBe(false);
    expect(await canEnter(`clinic_${suffix}`, `clinic_${suffix}`, 'wrong')).toBe(false);
    // The processes' role may come in, but makes no tables.
    expect(await mayConnect(`clinic_app_${suffix}`, `clinic_${suffix}`)).toBe(true);
    expect(await canEnter(`clinic_app_${suffix}`, `clinic_${suffix}`, 'a3')).toBe(false);
  } finally {
    await onServer(testDatabase.url, async (client) => {
      for (const name of ['clinic', 'temporal', 'temporal_visibility'])
        await client.query(`DROP DATABASE ${name}_${suffix}`);
      for (const role of ['clinic', 'clinic_app', 'temporal', 'monitoring', 'backup'])
        await client.query(`DROP ROLE ${role}_${suffix}`);
    });
  }
});

/** What the script gives to psql, with psql's variables filled in and names of the test's own. */
async function databaseScript(suffix: string, passwords: Record<string, string>): Promise<string[]> {
  const record = join(programs, 'psql-input');
  await putProgram('psql', `cat > '${record}'`);
  const environment = {
    POSTGRES_USER: 'postgres',
    CLINIC_DB_PASSWORD: 'c',
    CLINIC_APP_DB_PASSWORD: 'a',
    TEMPORAL_DB_PASSWORD: 't',
    MONITORING_DB_PASSWORD: 'm',
    BACKUP_DB_PASSWORD: 'b',
    PGDATA: programs,
  };
  expect(await runScript('docker/postgres/create-databases.sh', environment)).toBe(0);
  const text = (await readFile(record, 'utf8'))
    .replaceAll(
      /\b(clinic|clinic_app|temporal|temporal_visibility|monitoring|backup)\b(?!')/g,
      `$1_${suffix}`,
    )
    .replaceAll(/:'(\w+)'/g, (_, name: string) => `'${(passwords[name] ?? '').replaceAll("'", "''")}'`);
  return text
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

async function canEnter(role: string, database: string, password: string): Promise<boolean> {
  const url = new URL(testDatabase.url);
  url.pathname = `/${database}`;
  url.username = role;
  url.password = encodeURIComponent(password);
  try {
    await onServer(url.href, async (client) => client.query('CREATE TABLE own ()'));
    return true;
  } catch (error) {
    if (['28P01', '42501'].includes(String((error as { code?: unknown }).code))) return false;
    throw error;
  }
}

async function mayConnect(role: string, database: string): Promise<boolean> {
  const client = new Client({ connectionString: testDatabase.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ may: boolean }>(
      "SELECT has_database_privilege($1, $2, 'CONNECT') AS may",
      [role, database],
    );
    return rows[0]?.may === true;
  } finally {
    await client.end();
  }
}

async function onServer(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function putProgram(name: string, body: string): Promise<void> {
  await writeFile(join(programs, name), `#!/bin/sh\n${body}\n`);
  await chmod(join(programs, name), 0o755);
}

async function runScript(script: string, environment: Record<string, string>): Promise<number | null> {
  const child = spawn('/bin/sh', [join(PROJECT_ROOT, script)], {
    env: { PATH: `${programs}:${process.env['PATH']}`, ...environment },
    stdio: 'ignore',
  });
  await once(child, 'close');
  return child.exitCode;
}
