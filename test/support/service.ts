import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { anyPort } from '../../dev/processes/free-port.ts';
import { issueServerCertificate, keepLocalCa } from '../../dev/data-directory/local-ca.ts';
import { readRunningFile, type RunningService } from '../../dev/data-directory/running-file.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import type { ServerIdentity } from './certificates.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { until } from './until.ts';

const START_LIMIT_MS = 120_000;

/** The whole service, as `npm start` runs it, on a data directory of its own. */
export interface RunningInstance {
  dataDirectory: string;
  /** Read anew each time: a part that was killed comes back under another pid. */
  running(): RunningService;
  /** Runs the operator's command line and returns its JSON. */
  admin<T>(...args: string[]): Promise<T>;
  /** A request to the API; the body is sent and read as JSON. */
  request(key: string, method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  /** An HTTPS receiver whose certificate the service trusts. */
  receiver(): Promise<Receiver>;
  stop(): Promise<void>;
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export async function startService(environment: NodeJS.ProcessEnv = {}): Promise<RunningInstance> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'clinic-service-'));
  const port = String(await anyPort('127.0.0.1'));
  const variables = { ...serviceEnvironment(), PORT: port, DATA_DIR: dataDirectory, ...environment };
  const launcher = spawn(process.execPath, ['dev/main.ts'], {
    cwd: PROJECT_ROOT,
    env: variables,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collect(launcher);
  const running = () => readRunningFile(join(dataDirectory, 'running.json'));
  await until('the service to start', () => launcher.exitCode !== null || running(), START_LIMIT_MS);
  if (launcher.exitCode !== null) throw new Error(`the service did not start:\n${output()}`);
  const receivers: Receiver[] = [];
  const instance: RunningInstance = {
    dataDirectory,
    running: () => running() ?? fail('running.json is gone'),
    async admin<T>(...args: string[]) {
      const { stdout } = await promisify(execFile)(process.execPath, ['admin/main.ts', ...args], {
        cwd: PROJECT_ROOT,
        env: variables,
      });
      return JSON.parse(stdout) as T;
    },
    request: (key, method, path, body) => request(instance.running().apiUrl, key, method, path, body),
    async receiver() {
      const receiver = await startReceiver(await localIdentity(dataDirectory));
      receivers.push(receiver);
      return receiver;
    },
    async stop() {
      await Promise.all(receivers.map((receiver) => receiver.close()));
      await end(launcher);
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
  return instance;
}

/** The caller's own settings must not reach the service under test. */
function serviceEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, USER, LANG, XDG_CACHE_HOME } = process.env;
  return { PATH, HOME, USER, LANG, XDG_CACHE_HOME, LOG_LEVEL: 'info' };
}

/** A server certificate of the local CA, which the service trusts. */
export async function localIdentity(dataDirectory: string): Promise<ServerIdentity> {
  const ca = await keepLocalCa(join(dataDirectory, 'dev-ca.pem'), join(dataDirectory, 'dev-ca-key.pem'));
  const { certificatePem, keyPem } = await issueServerCertificate(ca);
  return { cert: certificatePem, key: keyPem };
}

function collect(child: ChildProcess): () => string {
  let text = '';
  const keep = (chunk: Buffer) => void (text = (text + chunk.toString()).slice(-10_000));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return () => text;
}

async function request(
  apiUrl: string,
  key: string,
  method: string,
  path: string,
  body: unknown,
): Promise<ApiAnswer> {
  const answer = await fetch(`${apiUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? {} : JSON.parse(text) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

function fail(message: string): never {
  throw new Error(message);
}

/** All that the service has logged so far, of every process. */
export async function logsOf({ dataDirectory }: RunningInstance): Promise<string> {
  const directory = join(dataDirectory, 'logs');
  const names = await readdir(directory);
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  return texts.join('\n');
}
