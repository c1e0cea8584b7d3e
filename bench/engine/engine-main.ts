import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { prepareEmbeddedPostgres, untilPostgresAnswers } from '../../dev/postgres/embedded-postgres.ts';
import { anyPort } from '../../dev/processes/free-port.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { untilProbeSucceeds } from '../../dev/processes/until-ready.ts';

/**
 * Temporal with its state in a PostgreSQL of its own, as docker-compose.yml runs it. One process that both are children of, so
 * that they are metered, stopped and continued together; it tells its parent the address, and ends with it.
 */
const [programs = '', directory = ''] = process.argv.slice(2);
const HOST = '127.0.0.1';
/** Of a database that this machine alone reaches, and that goes with the bench. */
const ACCOUNT = { user: 'postgres', password: 'bench' };
const DATABASES = { temporal: 'temporal', temporal_visibility: 'visibility' };
/** Of its four services, of which each speaks to the others. */
const SERVICES = ['FRONTEND', 'HISTORY', 'MATCHING', 'WORKER'];

const children: { child: ChildProcess; signal: NodeJS.Signals }[] = [];
process.once('SIGTERM', () => void stop());
process.once('disconnect', () => void stop());

const databasePort = await startDatabase();
const address = await startTemporal(databasePort);
process.send?.({ address });

async function startDatabase(): Promise<number> {
  const postgres = await prepareEmbeddedPostgres({
    directory,
    password: ACCOUNT.password,
    database: 'temporal',
    settings: { log_min_messages: 'warning' },
  });
  const port = await anyPort(HOST);
  const child = postgres.start(port, ['ignore', 'ignore', 'ignore']);
  // PostgreSQL's "fast shutdown".
  children.push({ child, signal: 'SIGINT' });
  for (const [database, schema] of Object.entries(DATABASES)) {
    const url = new URL(postgres.databaseUrl(port));
    url.pathname = database;
    await untilProbeSucceeds(child, () => untilPostgresAnswers(url.href));
    await sqlTool(port, database, 'setup-schema', '-v', '0.0');
    await sqlTool(port, database, 'update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
  return port;
}

async function sqlTool(port: number, database: string, ...words: string[]): Promise<void> {
  const account = ['--ep', HOST, '-p', String(port), '-u', ACCOUNT.user, '--pw', ACCOUNT.password];
  const all = ['--pl', 'postgres12', '--db', database, ...account, ...words];
  await promisify(execFile)(join(programs, 'sql'), all);
}

async function startTemporal(port: number): Promise<string> {
  const ports: Record<string, string> = { FRONTEND_HTTP_PORT: String(await anyPort(HOST)) };
  for (const service of SERVICES)
    for (const kind of ['GRPC', 'MEMBERSHIP']) ports[`${service}_${kind}_PORT`] = String(await anyPort(HOST));
  const child = spawn(join(programs, 'server'), ['start'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...ports,
      DB: 'postgres12',
      DB_PORT: String(port),
      POSTGRES_SEEDS: HOST,
      POSTGRES_USER: ACCOUNT.user,
      POSTGRES_PWD: ACCOUNT.password,
      BIND_ON_IP: HOST,
      NUM_HISTORY_SHARDS: '512',
      SQL_MAX_CONNS: '12',
      SQL_MAX_IDLE_CONNS: '12',
      SQL_VIS_MAX_CONNS: '4',
      SQL_VIS_MAX_IDLE_CONNS: '4',
      TEMPORAL_ALLOW_NO_AUTH: 'true',
      LOG_LEVEL: 'error',
      DYNAMIC_CONFIG_FILE_PATH: join(PROJECT_ROOT, 'docker/temporal/dynamic-config.yaml'),
    },
  });
  children.push({ child, signal: 'SIGTERM' });
  const at = `${HOST}:${ports['FRONTEND_GRPC_PORT']}`;
  await untilProbeSucceeds(child, () => untilAnswers(at));
  return at;
}

async function untilAnswers(at: string): Promise<void> {
  const connection = await Connection.connect({ address: at, connectTimeout: '2s' });
  await connection.close();
}

/** The one that was started last first. */
async function stop(): Promise<void> {
  for (const { child, signal } of children.reverse()) {
    const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
    child.kill(signal);
    await exited;
  }
  process.exit();
}
