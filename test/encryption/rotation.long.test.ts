import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { keepSchedules } from '../../adapters/temporal/schedules.ts';
import { createSecretCipher } from '../../adapters/secret-cipher.ts';
import { WebhookAttemptEntity } from '../../db/entities/webhook-attempt.entity.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhook-delivery.entity.ts';
import { adminWith } from '../admin/admin-runs.ts';
import { aCallBody } from '../calls/call-builders.ts';
import { startApiProcess, type ApiProcess } from '../requests/api-process.ts';
import { createApiClient, type ApiAnswer } from '../support/api-client.ts';
import { aClinic, aKey, bookingBody, inHours, type TestClinic } from '../support/clinic.ts';
import { until } from '../support/until.ts';
import { createWorkerSurroundings, type WorkerSurroundings } from '../worker/running-worker.ts';
import { startWorkerProcess, type WorkerProcess } from '../worker/worker-process.ts';
import { openable } from './stored-texts.ts';

let surroundings: WorkerSurroundings;
let directory: string;
const processes = new Set<{ api: ApiProcess; worker: WorkerProcess }>();

beforeAll(async () => {
  surroundings = await createWorkerSurroundings();
  directory = await mkdtemp(join(tmpdir(), 'rotation-test-'));
  await writeFile(join(directory, 'ca.pem'), surroundings.authority.caPem);
  await surroundings.namespace.temporal.ask(keepSchedules);
}, 60_000);
afterAll(async () => {
  for (const { api, worker } of processes) {
    await api.kill();
    worker.child.kill('SIGKILL');
    await worker.ended;
  }
  await rm(directory, { recursive: true });
  await surroundings.close();
}, 60_000);

function service(encryptionKey: string): Record<string, string> {
  const { databaseUrl, namespace } = surroundings;
  return {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: namespace.address,
    TEMPORAL_NAMESPACE: namespace.namespace,
    ENCRYPTION_KEY: encryptionKey,
    SERVICE_MODE: 'test',
  };
}

/** An API and a worker with this list of keys; the ones before leave once these are up. */
async function restartWith(encryptionKey: string, clients: Clients): Promise<void> {
  const before = [...processes];
  const worker = startWorkerProcess({
    ...service(encryptionKey),
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_CA_FILE: join(directory, 'ca.pem'),
  });
  const api = await startApiProcess(
    surroundings.databaseUrl,
    { ENCRYPTION_KEY: encryptionKey, RATE_LIMITS_DISABLED: 'true' },
    { isOnItsOwn: true },
  );
  processes.add({ api, worker });
  await worker.ready;
  // As a proxy does that sees who is ready.
  clients.sendTo(api.url);
  for (const old of before) {
    old.worker.child.kill('SIGTERM');
    expect(await Promise.all([old.api.stop(), old.worker.ended])).toEqual([0, 0]);
    processes.delete(old);
  }
}

interface Clients {
  sendTo(url: string): void;
  /** So many more rounds of requests have been answered. */
  rounds(more: number): Promise<void>;
  stop(): Promise<void>;
  /** How each request was answered: `PUT 201`. */
  statuses: string[];
}

const CALLERS = 6;

/** Receptionists and telephones that never pause. Each booking is repeated, each call recorded twice and read. */
function startClients(clinic: TestClinic, key: string): Clients {
  const statuses: string[] = [];
  const stopping = new AbortController();
  let [url, begun, rounds] = ['', 0, 0];
  const note = (what: string, { status }: ApiAnswer) => void statuses.push(`${what} ${status}`);
  async function round(nr: number): Promise<void> {
    const client = () => createApiClient(url, key);
    const booking = bookingBody(clinic, inHours(24 + nr));
    const idempotencyKey = { 'idempotency-key': uuidv7() };
    note('book', await client().post('/v1/appointments', booking, idempotencyKey));
    const call = `/v1/calls/${uuidv7()}`;
    note('call', await client().send('PUT', call, { body: aCallBody() }));
    note('book again', await client().post('/v1/appointments', booking, idempotencyKey));
    note('call again', await client().send('PUT', call, { body: aCallBody() }));
    const list = await client().get('/v1/calls', { limit: '20' });
    note('calls', list);
    expect(list.text).not.toContain('"fromNumber":null');
  }
  async function run(): Promise<void> {
    await until('an API', () => url !== '');
    for (; !stopping.signal.aborted; rounds += 1) await round((begun += 1));
  }
  const running = Promise.all(Array.from({ length: CALLERS }, run));
  return {
    statuses,
    sendTo: (next) => void (url = next),
    async rounds(more) {
      const enough = rounds + more;
      await Promise.race([until('requests', () => rounds >= enough), running]);
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

test('a new key comes, everything is sealed with it and the old one goes: no request and no delivery fails', async () => {
  const { database } = surroundings;
  const clinic = await aClinic(database);
  const receiver = await surroundings.startReceiver();
  const { tenantId } = clinic;
  await surroundings.subscribe(tenantId, receiver.url());
  const key = await aKey(database, tenantId);
  const [older, newer] = [surroundings.encryptionKey, randomBytes(32).toString('base64')];
  const clients = startClients(clinic, key);

  for (const list of [`${older},${newer}`, `${newer},${older}`]) {
    await restartWith(list, clients);
    await clients.rounds(50);
  }
  const reencrypted = await adminWith(service(`${newer},${older}`))('secrets', 'reencrypt');
  expect(reencrypted).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"left": []') });
  await restartWith(newer, clients);
  await clients.rounds(50);
  await clients.stop();

  const answers = Map.groupBy(clients.statuses, (status) => status);
  const expected = ['book 201', 'book again 201', 'call 201', 'call again 200', 'calls 200'];
  expect([...answers.keys()].sort()).toEqual(expected);
  const caused = 2 * (answers.get('book 201')?.length ?? 0);
  const em = database.em();
  await until(
    'all deliveries',
    async () => (await em.count(WebhookDeliveryEntity, { status: 'succeeded' })) === caused,
  );
  expect(await em.count(WebhookDeliveryEntity)).toBe(caused);
  expect(await em.count(WebhookAttemptEntity)).toBe(caused);
  expect(receiver.requests).toHaveLength(caused);

  const [opened, all] = await openable(database, createSecretCipher([Buffer.from(newer, 'base64')]));
  expect(opened).toBe(all);
  expect(all).toBeGreaterThan(150 * 4);
  expect(await openable(database, surroundings.cipher)).toEqual([0, all]);
  const { stdout } = await adminWith(service(newer))('doctor');
  const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
  expect(checks.find(({ name }) => name === 'encryption keys')).toMatchObject({
    ok: true,
    detail: expect.stringContaining(': 1 signing secrets, '),
  });
}, 240_000);
