import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { anyPort } from '../../../dev/processes/free-port.ts';
import { until } from '../until.ts';

/** What the server accepts; the SDK reads them from these variables. */
export const S3_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
export const S3_BUCKET = 'recordings';

export interface S3Server {
  endpoint: string;
  stop(): Promise<void>;
}

/**
 * A server that speaks S3 over HTTP on loopback, with one bucket: s3rver, or, where VERSITYGW is the path of its program, the
 * one of docker-compose.yml.
 */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'clinic-s3-'));
  const { VERSITYGW } = process.env;
  const { endpoint, stop } = await (VERSITYGW ? startVersity(VERSITYGW, directory) : startS3rver(directory));
  return {
    endpoint,
    async stop() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startS3rver(directory: string): Promise<S3Server> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: S3_BUCKET, configs: [] }],
  });
  const { port } = await server.run();
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

async function startVersity(program: string, directory: string): Promise<S3Server> {
  await mkdir(join(directory, S3_BUCKET));
  const address = `127.0.0.1:${await anyPort('127.0.0.1')}`;
  const child = spawn(program, ['--port', address, '--health', '/health', 'posix', directory], {
    env: {
      ROOT_ACCESS_KEY: S3_CREDENTIALS.AWS_ACCESS_KEY_ID,
      ROOT_SECRET_KEY: S3_CREDENTIALS.AWS_SECRET_ACCESS_KEY,
    },
    stdio: 'ignore',
  });
  await once(child, 'spawn');
  const exited = once(child, 'exit');
  await until('the storage', () =>
    fetch(`http://${address}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    endpoint: `http://${address}`,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
