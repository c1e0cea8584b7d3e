import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'pg';
import { anyPort } from '../../dev/processes/free-port.ts';
import type { Side } from '../options.ts';
import { until } from '../until.ts';

const START_LIMIT_MS = 180_000;

/** What `$DATA_DIR/running.json` of every version tells. */
export interface Running {
  apiUrl: string;
  temporalAddress: string;
  temporalNamespace: string;
  databaseUrl: string;
  /** Older versions have none. */
  dashboardUrl?: string | null;
  pids: Record<PartName, number | null>;
}
export type PartName = 'api' | 'worker' | 'postgres' | 'temporal';

/** One checkout's service as its own `npm start` runs it, on a data directory of its own. */
export interface Service extends Side {
  dataDirectory: string;
  /** Read again each time: a part that was killed comes back under another pid. */
  running(): Promise<Running>;
  /** The operator's command line of that checkout; returns its JSON. */
  admin<T>(...args: string[]): Promise<T>;
  /** For counting, and for filling tables with many rows. */
  sql: Pool;
}

/** @param resources take what is to be ended and removed, from the first moment on */
export async function startService(
  side: Side,
  resources: AsyncDisposableStack,
  environment?: NodeJS.ProcessEnv,
): Promise<Service> {
  const dataDirectory = await temporaryDirectory(resources);
  const variables = {
    ...ownEnvironment(),
    PORT: String(await anyPort('127.0.0.1')),
    DATA_DIR: dataDirectory,
    ...environment,
  };
  const launcher = spawn(process.execPath, ['dev/main.ts'], {
    cwd: side.root,
    env: variables,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  resources.defer(() => end(launcher));
  const output = collect(launcher);
  const running = () => readRunning(dataDirectory);
  await until('the service to start', async () => hasEnded(launcher) || (await running()), START_LIMIT_MS);
  const { databaseUrl } = (await running()) ?? fail(`${side.root} did not start:\n${output()}`);
  const sql = resources.adopt(new Pool({ connectionString: databaseUrl, max: 1 }), (pool) => pool.end());
  sql.on('error', () => undefined);
  return {
    ...side,
    dataDirectory,
    running: async () => (await running()) ?? fail('running.json is gone'),
    admin: (...args) => runAdmin(side.root, variables, args),
    sql,
  };
}

async function temporaryDirectory(resources: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'clinic-bench-'));
  resources.defer(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** The caller's own settings must not reach the service. A launcher that npm started ends with its parent. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, USER, LANG, XDG_CACHE_HOME } = process.env;
  const surroundings = { PATH, HOME, USER, LANG, XDG_CACHE_HOME, npm_lifecycle_event: 'bench' };
  return { ...surroundings, RATE_LIMITS_DISABLED: 'true' };
}

async function readRunning(dataDirectory: string): Promise<Running | null> {
  const text = await readFile(join(dataDirectory, 'running.json'), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Running);
}

async function runAdmin<T>(root: string, env: NodeJS.ProcessEnv, args: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, ['admin/main.ts', ...args], {
    cwd: root,
    env,
  });
  return JSON.parse(stdout) as T;
}

function collect(child: ChildProcess): () => string {
  let text = '';
  const keep = (chunk: Buffer) => void (text = (text + chunk.toString()).slice(-10_000));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return () => text;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

function fail(message: string): never {
  throw new Error(message);
}
