import { Client } from 'pg';
import { ConfigError } from '../../adapters/config/read-config.ts';
import { hasClinics, OtherModeError, readMode } from '../../db/deployment-mode.ts';
import type { LauncherConfig } from '../config.ts';
import type { LocalKeys } from '../data-directory/local-keys.ts';
import { freePort } from '../processes/free-port.ts';
import type { ProcessSpec } from '../processes/supervised-process.ts';
import { untilProbeSucceeds } from '../processes/until-ready.ts';
import type { Report } from '../report.ts';
import { prepareEmbeddedPostgres, untilPostgresAnswers } from './embedded-postgres.ts';

const PREFERRED_PORT = 54_320;
const UNNAMED =
  'DATABASE_URL: this database has clinics, and does not say whether they are live or a test. ' +
  'Say it once: SERVICE_MODE=live (or test) npm run migrate';
const REACH_LIMIT_MS = 5_000;

/** The user's PostgreSQL (spec null), or an embedded one with its process. */
export async function choosePostgres(
  { databaseUrl, directory }: LauncherConfig,
  keys: LocalKeys,
  report: Report,
): Promise<{ address: string; spec: ProcessSpec | null }> {
  if (databaseUrl !== undefined) {
    report.line('PostgreSQL: yours, from DATABASE_URL');
    return { address: databaseUrl, spec: null };
  }
  const postgres = await prepareEmbeddedPostgres({
    directory: directory.postgres,
    password: keys.databasePassword,
    database: 'clinic',
    settings: { log_line_prefix: '%m [%p] ', log_min_messages: 'warning' },
  });
  const port = await freePort('127.0.0.1', PREFERRED_PORT);
  report.line(`PostgreSQL: embedded, 127.0.0.1:${port}, in ${directory.postgres}`);
  const address = postgres.databaseUrl(port);
  const spec: ProcessSpec = {
    name: 'PostgreSQL',
    spawn: (log) => postgres.start(port, ['ignore', log, log]),
    untilReady: (child) => untilProbeSucceeds(child, () => untilPostgresAnswers(address)),
    // PostgreSQL's "fast shutdown": ends connections, then writes everything.
    stopSignal: 'SIGINT',
    stopLimitMs: 10_000,
    stage: 'engine',
    log: directory.log('postgres'),
  };
  return { address, spec };
}

/** @throws ConfigError when the user's PostgreSQL cannot be used, or belongs to another service */
export async function requireOwnPostgres({ databaseUrl, mode }: LauncherConfig): Promise<void> {
  if (databaseUrl === undefined) return;
  await requireReached(databaseUrl);
  const stored = await readMode(databaseUrl);
  if (stored === mode) return;
  if (stored !== null) throw new ConfigError([`DATABASE_URL: ${new OtherModeError(stored, mode).message}`]);
  // A test service must not work on a database with real patients.
  if (await hasClinics(databaseUrl)) throw new ConfigError([UNNAMED]);
}

async function requireReached(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: REACH_LIMIT_MS });
  try {
    await client.connect();
  } catch (error) {
    // When all addresses of a name are unreachable, there is a code and no message.
    const { message, code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`DATABASE_URL: cannot be used: ${message || code}`]);
  }
  await client.end();
}
