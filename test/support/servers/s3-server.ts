import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import S3rver from '@20minutes/s3rver';

/** The account that the service keeps recordings with; the SDK reads it from these variables. */
export const S3_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
export const S3_BUCKET = 'recordings';

export interface S3Server {
  endpoint: string;
  /** What is in the bucket, which the account of the service may not ask. */
  keys(): Promise<string[]>;
  stop(): Promise<void>;
}

/** A server that speaks S3 over HTTP on loopback, with one bucket. It knows one account, which owns everything: versitygw.ts has rights. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'clinic-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: S3_BUCKET, configs: [] }],
  });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    keys: () => keysIn(join(directory, S3_BUCKET)),
    async stop() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** s3rver keeps an object as a file of this ending; it answers no list whose address ends with a slash, as the SDK's does. */
const OBJECT = '._S3rver_object';

async function keysIn(bucket: string): Promise<string[]> {
  const files = await readdir(bucket, { recursive: true, withFileTypes: true });
  const objects = files.filter(({ name }) => name.endsWith(OBJECT));
  return objects.map(({ parentPath, name }) =>
    relative(bucket, join(parentPath, name)).slice(0, -OBJECT.length),
  );
}
