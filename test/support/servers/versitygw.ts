import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { accountsFile, allowRecordings } from '../../../adapters/recordings/storage-access.ts';
import { anyPort } from '../../../dev/processes/free-port.ts';
import { PROJECT_ROOT } from '../../../dev/processes/run-script.ts';
import { run } from '../../docs/languages.ts';
import { until } from '../until.ts';
import { S3_BUCKET, S3_CREDENTIALS, type S3Server } from './s3-server.ts';

/** Once for a version; two processors take a minute and a half. */
const BUILD_TIMEOUT_MS = 280_000;
const OWNER = { accessKeyId: 'storage-root', secretAccessKey: 'of the owner' };

/** The storage of docker-compose.yml, set up as its jobs do it: the service's account may keep recordings and nothing else. */
export async function startVersitygw(): Promise<S3Server> {
  const program = await versitygw();
  const directory = await mkdtemp(join(tmpdir(), 'clinic-s3-'));
  const [accounts, data] = [join(directory, 'accounts'), join(directory, 'data')];
  await mkdir(join(data, S3_BUCKET), { recursive: true });
  await mkdir(accounts);
  const { AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret } = S3_CREDENTIALS;
  await writeFile(join(accounts, 'users.json'), accountsFile({ access, secret }));
  const server = await start(program, ['--iam-dir', accounts, 'posix', data]);
  const client = new S3Client({
    endpoint: server.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: OWNER,
  });
  await allowRecordings(client, { bucket: S3_BUCKET, prefix: '' }, access);
  return {
    endpoint: server.endpoint,
    async keys() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: S3_BUCKET }));
      return Contents.map(({ Key = '' }) => Key);
    },
    async stop() {
      client.destroy();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The path of the program, which Go builds from its module at the first time. */
async function versitygw(): Promise<string> {
  const compose = await readFile(join(PROJECT_ROOT, 'docker-compose.yml'), 'utf8');
  const version = /versity\/versitygw:(v[\d.]+)/.exec(compose)?.[1] ?? 'none';
  const directory = join(PROJECT_ROOT, 'node_modules/.cache', `versitygw-${version}`);
  const program = join(directory, 'versitygw');
  if (existsSync(program)) return program;
  await run(['go', 'install', `github.com/versity/versitygw/cmd/versitygw@${version}`], {
    directory: PROJECT_ROOT,
    timeoutMs: BUILD_TIMEOUT_MS,
    env: { GOBIN: directory },
  });
  return program;
}

async function start(program: string, storage: readonly string[]): Promise<Omit<S3Server, 'keys'>> {
  const address = `127.0.0.1:${await anyPort('127.0.0.1')}`;
  const child = spawn(program, ['--port', address, '--health', '/health', ...storage], {
    env: { ROOT_ACCESS_KEY: OWNER.accessKeyId, ROOT_SECRET_KEY: OWNER.secretAccessKey },
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
