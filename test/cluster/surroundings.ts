import { randomBytes } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { prepareEmbeddedPostgres, untilPostgresAnswers } from '../../dev/postgres/embedded-postgres.ts';
import { silentReport } from '../../dev/report.ts';
import { findTemporalProgram } from '../../dev/temporal/find-temporal-program.ts';
import { TEMPORAL_CLI } from '../../dev/temporal/temporal-programs.ts';
import { startTemporalServer, untilTemporalAnswers } from '../../dev/temporal/choose-temporal.ts';
import { createTestAuthority } from '../support/servers/certificates.ts';
import { startReceiver, type Receiver } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';

/** PostgreSQL and Temporal, and the clinic's receiver, as pods see them. */
export const ENGINES = '10.99.0.2';
export const RECEIVER = '10.99.0.3';
const POSTGRES_PORT = 5432;
const TEMPORAL_PORT = 7233;

/** What the chart finds there already. */
export interface HandlerContext {
  /** As the Secret names them: the superuser's, the owner's, and each process's own. */
  logins: Record<string, string>;
  temporal: string;
  receiver: Receiver;
  /** Of the authority that vouches for the receiver. */
  caPem: string;
}

/** Starts them in the namespaces that this process is alone in; they go with them. */
export async function startSurroundings(directory: string): Promise<HandlerContext> {
  const authority = await createTestAuthority();
  const identity = await authority.issue({ addresses: [RECEIVER] });
  const [roles, receiver] = await Promise.all([
    startPostgres(join(directory, 'database')),
    startReceiver(identity, { host: RECEIVER }),
    startTemporal(directory),
  ]);
  return { ...roles, temporal: `${ENGINES}:${TEMPORAL_PORT}`, receiver, caPem: authority.caPem };
}

async function startPostgres(directory: string): Promise<Pick<HandlerContext, 'logins'>> {
  await mkdir(directory);
  // PostgreSQL runs under another account, which has to pass through here.
  await chmod(directory, 0o755);
  const access = join(directory, 'pg_hba.conf');
  await writeFile(access, 'host all all all scram-sha-256\n', { mode: 0o644 });
  const postgres = await prepareEmbeddedPostgres({
    directory: join(directory, 'files'),
    password: secret(),
    database: 'postgres',
    settings: { listen_addresses: '*', hba_file: access, fsync: 'off', max_connections: '300' },
  });
  const log = openSync(join(directory, 'log'), 'a');
  postgres.start(POSTGRES_PORT, ['ignore', log, log]);
  const url = postgres.databaseUrl(POSTGRES_PORT);
  const answers = () =>
    untilPostgresAnswers(url).then(
      () => true,
      () => false,
    );
  await until('PostgreSQL', answers);
  return makeRoles(url);
}

/** The owner and its database; the chart makes the others. */
async function makeRoles(url: string): Promise<Pick<HandlerContext, 'logins'>> {
  const password = secret();
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of [
    `CREATE ROLE clinic LOGIN PASSWORD '${password}'`,
    'CREATE DATABASE clinic OWNER clinic',
  ])
    await client.query(statement);
  await client.end();
  const superuser = new URL(url);
  [superuser.hostname, superuser.pathname] = [ENGINES, '/clinic'];
  const of = (role: string) => `postgresql://${role}:${password}@${ENGINES}:${POSTGRES_PORT}/clinic`;
  return {
    logins: {
      SUPERUSER_DATABASE_URL: superuser.href,
      MIGRATION_DATABASE_URL: of('clinic'),
      API_DATABASE_URL: of('clinic_api'),
      WORKER_DATABASE_URL: of('clinic_worker'),
      DASHBOARD_DATABASE_URL: of('clinic_dashboard'),
      PUBLIC_DATABASE_URL: of('clinic_public'),
    },
  };
}

async function startTemporal(directory: string): Promise<void> {
  const limit = AbortSignal.timeout(120_000);
  const { path } = await findTemporalProgram(TEMPORAL_CLI, process.env, silentReport, limit);
  const log = openSync(join(directory, 'temporal.log'), 'a');
  // Its parts look for each other on loopback.
  const options = { port: TEMPORAL_PORT, namespace: 'default', flags: ['--ip', '0.0.0.0', '--headless'] };
  startTemporalServer(path, options, ['ignore', log, log]);
  const address = `${ENGINES}:${TEMPORAL_PORT}`;
  await until('Temporal', () =>
    untilTemporalAnswers(address, 'default').then(
      () => true,
      () => false,
    ),
  );
}

function secret(): string {
  return randomBytes(24).toString('hex');
}
