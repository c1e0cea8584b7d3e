import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { anyPort } from '../../../dev/processes/free-port.ts';
import { issueServerCertificate, keepLocalCa } from '../../../dev/data-directory/local-ca.ts';
import { readRunningFile, type RunningService } from '../../../dev/data-directory/running-file.ts';
import { PROJECT_ROOT } from '../../../dev/processes/run-script.ts';
import { toIdentity, type ServerIdentity } from './certificates.ts';
import { callersEnvironment } from '../environment/callers-environment.ts';
import { aDataDirectory, npmStart, type NpmOptions, type NpmScript } from './npm-start.ts';
import { startReceiver, type Receiver } from './receiver.ts';

/** The whole service, as `npm start` runs it, on a data directory of its own. */
export interface RunningInstance {
  dataDirectory: string;
  npm: NpmScript;
  /** Read again each time: a part that was killed comes back under another pid. */
  running(): RunningService;
  /** Runs the operator's command line and returns its JSON. */
  admin<T>(...args: string[]): Promise<T>;
  /** A request to the API; the body is sent and read as JSON. */
  request(key: string, method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  /** An HTTPS receiver whose certificate the service trusts. */
  receiver(): Promise<Receiver>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export async function startService(
  environment: NodeJS.ProcessEnv = {},
  { ownGroup = false }: Pick<NpmOptions, 'ownGroup'> = {},
): Promise<RunningInstance> {
  const directory = await aDataDirectory();
  const dataDirectory = directory.path;
  const port = String(await anyPort('127.0.0.1'));
  const npm = npmStart(dataDirectory, { environment: { PORT: port, ...environment }, ownGroup });
  await npm.untilRunning();
  const running = () => readRunningFile(join(dataDirectory, 'running.json'));
  const receivers: Receiver[] = [];
  const instance: RunningInstance = {
    dataDirectory,
    npm,
    running: () => running() ?? fail('running.json is gone'),
    async admin<T>(...args: string[]) {
      const { stdout } = await promisify(execFile)(process.execPath, ['admin/main.ts', ...args], {
        cwd: PROJECT_ROOT,
        env: { ...callersEnvironment(), DATA_DIR: dataDirectory, ...environment },
      });
      return JSON.parse(stdout) as T;
    },
    request: (key, method, path, body) => request(instance.running().apiUrl, key, method, path, body),
    async receiver() {
      const receiver = await startReceiver(await localIdentity(dataDirectory));
      receivers.push(receiver);
      return receiver;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(receivers.map((receiver) => receiver.close()));
      npm.signal('SIGTERM');
      await npm.exitCode;
      await directory.remove();
    },
  };
  return instance;
}

/** A server certificate of the local CA, which the service trusts. */
export async function localIdentity(dataDirectory: string): Promise<ServerIdentity> {
  const ca = await keepLocalCa(join(dataDirectory, 'dev-ca.pem'), join(dataDirectory, 'dev-ca-key.pem'));
  return toIdentity(await issueServerCertificate(ca));
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
