import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApiProcess, type ApiProcess } from '../support/servers/api-process.ts';
import type { WorkerSurroundings } from '../worker/running-worker.ts';
import { startWorkerProcess, type WorkerProcess } from '../worker/worker-process.ts';
import { startReadyProxy } from './ready-proxy.ts';

const LOOPBACK = '127.0.0.0/8,::1/128';
/** A refused delivery is repeated twice at once: `moody-receiver.ts`. */
const RETRY_DELAYS_SECONDS = '1,1,3600,3600,3600';

/** API and worker processes as a deployment has them; those that still run are killed in the end. */
export interface Fleet extends AsyncDisposable {
  /** Of the proxy before the API processes. */
  url: string;
  /** Returns when it gets requests. */
  startApi(options?: MemberOptions): Promise<Member>;
  startWorker(options?: MemberOptions & { isHeld?: boolean }): Promise<Member>;
}

export interface MemberOptions {
  encryptionKey?: string;
  /** Of another version's sources. */
  directory?: string;
}

export interface Member {
  /** SIGTERM; returns the exit code. */
  leave(): Promise<number | null>;
}

export async function aFleet(surroundings: WorkerSurroundings): Promise<Fleet> {
  const { databaseUrl, namespace, authority } = surroundings;
  const certificates = await mkdtemp(join(tmpdir(), 'fleet-test-'));
  await writeFile(join(certificates, 'ca.pem'), authority.caPem);
  const proxy = await startReadyProxy();
  const apis = new Set<ApiProcess>();
  const workers = new Set<WorkerProcess>();
  return {
    url: proxy.url,
    async startApi({ encryptionKey = surroundings.encryptionKey, ...version } = {}) {
      const settings = {
        ENCRYPTION_KEY: encryptionKey,
        RATE_LIMITS_DISABLED: 'true',
        WEBHOOK_ALLOWED_CIDRS: LOOPBACK,
      };
      const api = await startApiProcess(databaseUrl, settings, { isOnItsOwn: true, ...version });
      apis.add(api);
      await proxy.add(api.url);
      return {
        async leave() {
          const code = await api.stop();
          proxy.forget(api.url);
          apis.delete(api);
          return code;
        },
      };
    },
    async startWorker({ encryptionKey = surroundings.encryptionKey, directory, isHeld = false } = {}) {
      const settings = {
        DATABASE_URL: databaseUrl,
        TEMPORAL_ADDRESS: namespace.address,
        TEMPORAL_NAMESPACE: namespace.namespace,
        ENCRYPTION_KEY: encryptionKey,
        WEBHOOK_ALLOWED_CIDRS: LOOPBACK,
        WEBHOOK_CA_FILE: join(certificates, 'ca.pem'),
        WEBHOOK_RETRY_DELAYS_SECONDS: RETRY_DELAYS_SECONDS,
        ...(isHeld && { WORKFLOW_CHANGES: 'held' }),
      };
      const worker = startWorkerProcess(settings, directory);
      workers.add(worker);
      await worker.ready;
      return {
        async leave() {
          worker.child.kill('SIGTERM');
          const code = await worker.ended;
          workers.delete(worker);
          return code;
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const { child } of workers) child.kill('SIGKILL');
      await Promise.all([...workers].map(({ ended }) => ended));
      await Promise.all([...apis].map((api) => api.kill()));
      await proxy.close();
      await rm(certificates, { recursive: true });
    },
  };
}
