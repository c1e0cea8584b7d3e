import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { run, succeeds } from './shell.ts';

/** The name of the network namespace that holds the engine and what asks its containers. */
export const NETWORK = 'clinic-containers';

export interface Engine extends AsyncDisposable {
  /** DOCKER_HOST */
  host: string;
  directory: string;
}

/** Makes the namespace, which leads nowhere: all that is in it is a loopback, and the bridges that the engine makes. */
export async function makeNetwork(): Promise<void> {
  await run(['ip', 'netns', 'add', NETWORK]);
  await run(['ip', '-n', NETWORK, 'link', 'set', 'lo', 'up']);
}

export async function removeNetwork(): Promise<void> {
  await succeeds(['ip', 'netns', 'delete', NETWORK]);
}

/**
 * An engine of its own, in the namespace that this process runs in; nothing of it is left when it is disposed of.
 * @param options of dockerd, beside the usual ones
 */
export async function startEngine(options: readonly string[] = []): Promise<Engine> {
  const directory = await mkdtemp(join(tmpdir(), 'clinic-engine-'));
  const host = `unix://${directory}/docker.sock`;
  const log = openSync(join(directory, 'dockerd.log'), 'a');
  const resolver = join(directory, 'resolv.conf');
  await writeFile(resolver, 'nameserver 127.0.0.1\n');
  const child = spawn(
    'unshare',
    // A view of the files of its own, in which unknown-names.ts is who answers for names that no container has.
    [
      '--mount',
      'sh',
      '-c',
      `mount --bind "${resolver}" /etc/resolv.conf && exec dockerd "$@"`,
      'dockerd',
      `--host=${host}`,
      `--data-root=${directory}/data`,
      `--exec-root=${directory}/run`,
      `--pidfile=${directory}/dockerd.pid`,
      '--exec-opt=native.cgroupdriver=cgroupfs',
      ...options,
    ],
    // Ctrl-C is for those who ask: it is told to end when they are done.
    { stdio: ['ignore', log, log], detached: true },
  );
  await once(child, 'spawn');
  const exited = once(child, 'exit');
  const ends = exited.then(() => {
    throw new Error(`dockerd ended: see ${directory}/dockerd.log`);
  });
  await Promise.race([until('dockerd to answer', () => succeeds(['docker', '--host', host, 'info'])), ends]);
  ends.catch(() => undefined);
  return {
    host,
    directory,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
      // Again where an image was still being made.
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
