import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const ACCOUNT = 'postgres';
const MAY_BE_ENTERED_BY_OTHERS = 0o001;

/** How to run a PostgreSQL program: PostgreSQL refuses to run as root, so root runs it as another account. */
export type PostgresUser = {
  /** Goes before the program and its arguments. */
  prefix: string[];
  /** Null: the account that runs this process. */
  account: { uid: number; gid: number } | null;
};

/** @param paths the directories that PostgreSQL must be able to enter. */
export async function postgresUser(paths: string[]): Promise<PostgresUser> {
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

/** A home of root is closed to others. Instead of opening it up, PostgreSQL keeps root's right to pass, and only that. */
async function prefixForClosedDirectories(account: { uid: number; gid: number }, closed: string) {
  const passing = '+dac_override,+dac_read_search';
  const flags = Object.entries({
    // Without this bit access(2), which PostgreSQL asks before it starts, ignores the rights kept.
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
