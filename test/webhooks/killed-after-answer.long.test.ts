import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { createSecretCipher, type SecretCipher } from '../../adapters/secret-cipher.ts';
import { createEndpoint } from '../../commands/webhooks/create-endpoint.ts';
import { WebhookDeliveryEntity, type WebhookDeliveryRow } from '../../db/entities/webhook-delivery.entity.ts';
import { openDatabase, type Database } from '../../db/connection/open-database.ts';
import { createTestAuthority } from '../support/servers/certificates.ts';
import { aClinic, asOperator } from '../support/clinic.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startReceiver, type Receiver } from '../support/servers/receiver.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { until } from '../support/until.ts';
import { anEventFor } from './recorded-attempts.ts';
import { createTestNamespace, type TestNamespace } from '../worker/test-namespace.ts';
import { startWorkerProcess, type WorkerProcess } from '../worker/worker-process.ts';

const ENCRYPTION_KEY = randomBytes(32);

let testDatabase: TestDatabase;
let database: Database;
let namespace: TestNamespace;
let receiver: Receiver;
let directory: string;
let cipher: SecretCipher;
const started: WorkerProcess[] = [];

beforeAll(async () => {
  const authority = await createTestAuthority();
  [testDatabase, namespace] = await Promise.all([createTestDatabase(), createTestNamespace()]);
  database = await openDatabase({ url: testDatabase.url, applicationName: 'test' });
  receiver = await startReceiver(await authority.issue());
  cipher = createSecretCipher([ENCRYPTION_KEY]);
  directory = await mkdtemp(join(tmpdir(), 'worker-'));
  await writeFile(join(directory, 'ca.pem'), authority.caPem);
});
afterEach(async () => {
  for (const { child, ended } of started) {
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
  }
});
afterAll(async () => {
  await rm(directory, { recursive: true });
  await receiver.close();
  await namespace.temporal[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await testDatabase.drop();
});

async function startWorker(): Promise<WorkerProcess> {
  const worker = startWorkerProcess({
    DATABASE_URL: testDatabase.url,
    TEMPORAL_ADDRESS: namespace.address,
    TEMPORAL_NAMESPACE: namespace.namespace,
    ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_CA_FILE: join(directory, 'ca.pem'),
  });
  started.push(worker);
  await worker.ready;
  return worker;
}

async function anEndpointAtReceiver() {
  const { tenantId } = await aClinic(database);
  const input = { tenantId, url: receiver.url(), events: ['*'], description: null, cipher };
  const { endpoint } = await database.write((em) => createEndpoint(em, input, asOperator()));
  return { tenantId, endpointId: endpoint.id };
}

function read({ id }: WebhookDeliveryRow): Promise<WebhookDeliveryRow> {
  return database.em().findOneOrFail(WebhookDeliveryEntity, { id });
}

/** Holds a delivery's row; whoever wants to write it waits. */
async function hold({ id }: WebhookDeliveryRow) {
  const holder = new Client({ connectionString: testDatabase.url, application_name: 'holder' });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM webhook_delivery WHERE id = $1 FOR UPDATE', [id]);
  return {
    /** The database ends the statements of the worker that wait for the row, as it does when their process is gone. */
    endWaiting: () =>
      holder.query(
        `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'worker' AND wait_event_type = 'Lock'`,
      ),
    isWaitedFor: async () => (await lockWaits(database.em(), 'worker')) > 0,
    release: () => holder.end(),
  };
}

test('killed after the receiver’s 200 and before its row: the delivery ends succeeded, with one repeat at most', async () => {
  const place = await anEndpointAtReceiver();
  const delivery = await anEventFor(database, place);
  let held: Awaited<ReturnType<typeof hold>> | undefined;
  receiver.script((response) => {
    const answer = async () => {
      held = await hold(delivery);
      response.writeHead(200).end();
    };
    void answer();
  });
  const first = await startWorker();
  const holding = await until(
    'the answer to wait for its row',
    async () => (await held?.isWaitedFor()) && held,
  );
  first.child.kill('SIGKILL');
  await first.ended;
  await holding.endWaiting();
  await holding.release();
  expect(await read(delivery)).toMatchObject({ status: 'pending', attemptCount: 0 });

  await startWorker();
  const settled = await until('the delivery to succeed', async () => {
    const now = await read(delivery);
    return now.status === 'succeeded' && now;
  });
  expect(settled.attemptCount).toBe(1);
  expect(receiver.requests.length).toBeLessThanOrEqual(2);
  for (const { headers } of receiver.requests) {
    expect(headers['x-service-event-id']).toBe(delivery.eventId);
    expect(headers['x-service-attempt']).toBe('1');
  }
});
