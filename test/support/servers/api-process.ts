import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { anyPort } from '../../../dev/processes/free-port.ts';
import { PROJECT_ROOT } from '../../../dev/processes/run-script.ts';
import { argumentsOf } from '../../../dev/processes/start-services.ts';
import { callersEnvironment } from '../environment/callers-environment.ts';

/** Both processes of a test must be able to decrypt the other's data. */
const KEY = Buffer.alloc(32, 5).toString('base64');

export interface ApiProcess extends AsyncDisposable {
  url: string;
  pid: number;
  /** SIGKILL: no time to tidy up. */
  kill(): Promise<void>;
  /** SIGTERM. Returns the exit code. */
  stop(): Promise<number | null>;
}

export interface ApiProcessOptions {
  /** Limits the size of files, in blocks of 512 or 1024 bytes, like a full disk. */
  largestFileBlocks?: number;
  /** Limits the number of file descriptors. */
  mostFiles?: number;
  /** Puts recordings on a small disk of their own; needs a Linux with user mounts. */
  diskMegabytes?: number;
  /** Makes its log unwritable; needs Linux' `/dev/full`. */
  isLogDiskFull?: boolean;
  /** Starts it like an orchestrator, without an IPC channel. */
  isOnItsOwn?: boolean;
  /** Of another version's sources. */
  directory?: string;
}

/** `npm run api` as it runs in production, on a free port. */
export async function startApiProcess(
  databaseUrl: string,
  environment: NodeJS.ProcessEnv = {},
  { isOnItsOwn = false, isLogDiskFull = false, directory = PROJECT_ROOT, ...limits }: ApiProcessOptions = {},
): Promise<ApiProcess> {
  const recordings = mkdtempSync(join(tmpdir(), 'clinic-recordings-'));
  // A port that the log cannot report must be chosen before.
  const port = isLogDiskFull ? await anyPort('127.0.0.1') : 0;
  const [command, ...words] = commandLine(limits, recordings, argumentsOf('api', directory));
  const child = spawn(command, words, {
    cwd: directory,
    env: { ...environmentOf(databaseUrl, recordings), PORT: String(port), ...environment },
    stdio: [
      'ignore',
      isLogDiskFull ? openSync('/dev/full', 'w') : 'pipe',
      'inherit',
      ...(isOnItsOwn ? [] : ['ipc' as const]),
    ],
  });
  child.once('exit', () => rmSync(recordings, { recursive: true, force: true }));
  const stop = () => end(child, 'SIGTERM');
  return {
    url: isLogDiskFull ? await readyAt(child, `http://127.0.0.1:${port}`) : await listeningAt(child),
    pid: child.pid ?? 0,
    async kill() {
      await end(child, 'SIGKILL');
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

function environmentOf(databaseUrl: string, recordings: string): NodeJS.ProcessEnv {
  return {
    ...callersEnvironment(),
    SERVICE_MODE: 'test',
    DATABASE_URL: databaseUrl,
    PHONE_HASH_KEY: Buffer.alloc(32, 6).toString('base64'),
    ENCRYPTION_KEY: KEY,
    RECORDINGS_URL: pathToFileURL(recordings).href,
  };
}

function commandLine(
  limits: Pick<ApiProcessOptions, 'largestFileBlocks' | 'mostFiles' | 'diskMegabytes'>,
  recordings: string,
  nodeArguments: string[],
): [string, ...string[]] {
  const { largestFileBlocks, mostFiles, diskMegabytes } = limits;
  const api = `exec "${process.execPath}" ${nodeArguments.join(' ')}`;
  if (largestFileBlocks !== undefined) return ['/bin/sh', '-c', `ulimit -f ${largestFileBlocks} && ${api}`];
  if (mostFiles !== undefined) return ['/bin/sh', '-c', `ulimit -n ${mostFiles} && ${api}`];
  if (diskMegabytes === undefined) return [process.execPath, ...nodeArguments];
  const mount = `mount -t tmpfs -o size=${diskMegabytes}m recordings "${recordings}"`;
  return ['unshare', '--map-root-user', '--mount', '/bin/sh', '-c', `${mount} && ${api}`];
}

/** The address in its log, which is read to the end so that the pipe never fills. */
function listeningAt(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let log = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
    const address = /"address":"([^"]+)"/.exec(log)?.[1];
    if (address) resolve(address);
  });
  child.once('exit', () => reject(new Error(`the API ended before it listened:\n${log}`)));
  return promise;
}

/** The address, once the process says that it serves. */
async function readyAt(child: ChildProcess, url: string): Promise<string> {
  const exited = once(child, 'exit').then(() => {
    throw new Error('the API ended before it listened');
  });
  await Promise.race([once(child, 'message'), exited]);
  return url;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  return child.exitCode;
}
