import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chown, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { withLog } from '../../../dev/data-directory/log-file.ts';
import { prepareEmbeddedPostgres, untilPostgresAnswers } from '../../../dev/postgres/embedded-postgres.ts';
import { anyPort } from '../../../dev/processes/free-port.ts';
import { startGuard } from '../../../dev/processes/guard.ts';
import type { startOwnPostgres } from '../environment/test-postgres.ts';
import { until } from '../until.ts';
import { answering, watch } from './server-process.ts';

type Primary = Awaited<ReturnType<typeof startOwnPostgres>>;

/** A hot standby that the primary waits for with every commit. */
export interface StandbyPostgres {
  /** `host:port` */
  host: string;
  url: string;
  /** From now on it takes writes, and waits for no one. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Made from a base backup of the primary (PostgreSQL's manual, "Making a Base Backup Using the Low Level API").
 * @param settings beside the usual ones
 */
export async function startStandbyOf(
  primary: Primary,
  settings: Record<string, string> = {},
): Promise<StandbyPostgres> {
  const directory = join(primary.directory, 'standby');
  await backUp(primary, directory);
  const place = new URL(primary.templateUrl);
  const from = `host=127.0.0.1 port=${place.port} user=postgres password=${place.password} application_name=standby`;
  const postgres = await prepareEmbeddedPostgres({
    directory,
    password: place.password,
    database: 'postgres',
    settings: { fsync: 'off', max_connections: '300', primary_conninfo: from, ...settings },
  });
  const port = await anyPort('127.0.0.1');
  const log = join(primary.directory, 'standby.log');
  const url = new URL(primary.templateUrl);
  url.port = String(port);
  const child = withLog(log, (file) => postgres.start(port, ['ignore', file, file]));
  const guard = startGuard();
  watch(guard, child, 'SIGQUIT');
  await answering(child, log, () => untilPostgresAnswers(postgres.databaseUrl(port)));
  await waitForIt(primary);
  return {
    host: url.host,
    url: url.href,
    promote: () => onServer(url.href, async (client) => void (await client.query('SELECT pg_promote()'))),
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGQUIT');
      await ended;
      await guard.close();
    },
  };
}

async function backUp(primary: Primary, directory: string): Promise<void> {
  const data = join(primary.directory, 'postgres');
  const label = await onServer(primary.templateUrl, async (client) => {
    await client.query("SELECT pg_backup_start('standby', true)");
    await promisify(execFile)('cp', ['-a', data, directory]);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
    return rows[0]?.labelfile ?? '';
  });
  for (const own of ['postmaster.pid', 'postmaster.opts']) await rm(join(directory, own), { force: true });
  const { uid, gid } = await stat(join(data, 'PG_VERSION'));
  for (const [name, text] of Object.entries({ backup_label: label, 'standby.signal': '' })) {
    await writeFile(join(directory, name), text, { mode: 0o600 });
    await chown(join(directory, name), uid, gid);
  }
}

/** The standby was copied before, so that it will wait for none when it is the primary. */
async function waitForIt(primary: Primary): Promise<void> {
  await onServer(primary.templateUrl, async (client) => {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await client.query('SELECT pg_reload_conf()');
    await until('the standby to be waited for', async () => {
      const { rows } = await client.query(
        "SELECT FROM pg_stat_replication WHERE application_name = 'standby' AND sync_state = 'sync'",
      );
      return rows.length === 1;
    });
  });
}

async function onServer<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
