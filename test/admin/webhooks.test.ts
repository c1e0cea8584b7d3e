import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { endpointSecret } from '../../domain/encryption/sealed-places.ts';
import { suiteDatabase } from '../support/database.ts';
import { TEST_ENCRYPTION_KEY } from '../support/sealing.ts';
import { adminWith, answerOf, idOf, itemsOf, type Json } from './admin-runs.ts';

const ENCRYPTION_KEY = TEST_ENCRYPTION_KEY;
const RECEIVER = 'https://localhost:9443/hook';

const database = await suiteDatabase();
const admin = adminWith({
  DATABASE_URL: database.url,
  SERVICE_MODE: 'test',
  ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8, ::1/128',
});

describe('endpoints', () => {
  test('an endpoint is active for every event, and its secret is shown once and stored encrypted', async () => {
    const clinic = await aClinic();
    const { secret, ...endpoint } = await answerOf(createEndpoint(clinic));
    expect(endpoint).toMatchObject({ url: RECEIVER, events: ['*'], description: null, status: 'active' });
    expect(endpoint).toMatchObject({ failingSince: null, deactivateAt: null });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32,}=*$/);
    expect(await itemsOf(admin('endpoint', 'list', '--tenant', clinic))).toEqual([endpoint]);
    const [row] = await rows<{ ciphertext: string }>(
      `SELECT ciphertext FROM webhook_secret WHERE endpoint_id = '${idOf(endpoint)}'`,
    );
    const place = endpointSecret(clinic, idOf(endpoint));
    const cipher = await database.ciphers.of(clinic);
    expect(cipher.decrypt(row?.ciphertext ?? '', place)).toBe(secret);
  });

  test('an endpoint can ask for some events only, each once', async () => {
    const clinic = await aClinic();
    const events = 'appointment.*, call.completed,appointment.*';
    const endpoint = await answerOf(createEndpoint(clinic, '--events', events, '--description', 'PMS'));
    expect(endpoint).toMatchObject({ events: ['appointment.*', 'call.completed'], description: 'PMS' });
  });

  test.each([
    ['http://localhost:9443/hook', 'https://'],
    ['https://user:word@localhost/', 'password'],
    ['https://8.8.8.8/', 'host name'],
    ['nonsense', 'full URL'],
  ])('the receiver %s is refused with a reason', async (url, reason) => {
    const clinic = await aClinic();
    const refused = await admin('endpoint', 'create', '--tenant', clinic, '--url', url);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain(reason);
    expect(await itemsOf(admin('endpoint', 'list', '--tenant', clinic))).toEqual([]);
  });

  test('an event that does not exist is a usage error', async () => {
    const refused = await createEndpoint(await aClinic(), '--events', 'appointment.lost');
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--events') });
  });

  test('an endpoint of an unknown clinic is refused', async () => {
    const unknown = '00000000-0000-7000-8000-000000000000';
    const refused = await createEndpoint(unknown);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(unknown) });
  });

  test('a clinic has at most ten endpoints, also when they are made at once', async () => {
    const clinic = await aClinic();
    const runs = await Promise.all(
      Array.from({ length: 12 }, (_, at) => createEndpoint(clinic, '--url', `${RECEIVER}?receiver=${at}`)),
    );
    const refused = runs.filter(({ exitCode }) => exitCode === 1);
    expect(refused).toHaveLength(2);
    for (const { stderr } of refused) expect(stderr).toContain('endpoint_limit_reached');
    expect(await itemsOf(admin('endpoint', 'list', '--tenant', clinic))).toHaveLength(10);
  });

  test('own headers come from a file, so that no password is in the history of a shell', async () => {
    const endpoint = idOf(await answerOf(createEndpoint(await aClinic())));
    await using directory = await mkdtempDisposable(join(tmpdir(), 'headers-'));
    const file = join(directory.path, 'headers.txt');
    const set = () => admin('endpoint', 'set-headers', '--endpoint', endpoint, '--file', file);
    expect(await set()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('cannot be read') });
    await writeFile(file, 'X-Gateway-Key: open sesame\n');
    expect(await answerOf(set())).toMatchObject({ headerNames: ['X-Gateway-Key'] });
    await writeFile(file, 'Host: other.example');
    expect(await set()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('set by the service') });
    await writeFile(file, '');
    expect(await answerOf(set())).toMatchObject({ headerNames: [] });
  });

  test('enabling brings back an endpoint that was deactivated', async () => {
    const endpoint = idOf(await answerOf(createEndpoint(await aClinic())));
    await rows(
      `UPDATE webhook_endpoint SET status = 'deactivated', failing_since = now(), deactivate_at = now() WHERE id = '${endpoint}'`,
    );
    expect(await answerOf(admin('endpoint', 'enable', '--endpoint', endpoint))).toMatchObject({
      id: endpoint,
      status: 'active',
      failingSince: null,
      deactivateAt: null,
    });
  });

  test('without the encryption key no endpoint is made, and the message names the variable', async () => {
    const clinic = await aClinic();
    const keyless = adminWith({ DATABASE_URL: database.url, SERVICE_MODE: 'test' });
    const refused = await keyless('endpoint', 'create', '--tenant', clinic, '--url', RECEIVER);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('ENCRYPTION_KEY') });
  });
});

describe('an operator looks after an endpoint', () => {
  test('it is disabled, and what waits ends as skipped', async () => {
    const { endpoint, delivery } = await aClinicWithDelivery();
    const disabled = await answerOf(admin('endpoint', 'disable', '--endpoint', endpoint));
    expect(disabled).toMatchObject({ id: endpoint, status: 'disabled' });
    expect(await answerOf(admin('delivery', 'show', '--delivery', delivery))).toMatchObject({
      status: 'skipped',
    });
    const enabled = await answerOf(admin('endpoint', 'enable', '--endpoint', endpoint));
    expect(enabled).toMatchObject({ status: 'active' });
  });

  test('it is deleted for good, and its deliveries stay', async () => {
    const { clinic, endpoint, delivery } = await aClinicWithDelivery();
    const deleted = await answerOf(admin('endpoint', 'delete', '--endpoint', endpoint));
    expect(deleted).toEqual({ id: endpoint, deletedAt: expect.stringMatching(/Z$/) });
    expect(await itemsOf(admin('endpoint', 'list', '--tenant', clinic))).toEqual([]);
    expect(await itemsOf(admin('delivery', 'list', '--endpoint', endpoint))).toMatchObject([
      { id: delivery },
    ]);
    expect(await admin('endpoint', 'delete', '--endpoint', endpoint)).toMatchObject({ exitCode: 1 });
  });

  test('it gets a new secret, shown this once, beside which the old one signs as long as told', async () => {
    const { endpoint } = await aClinicWithDelivery();
    const options = ['--endpoint', endpoint, '--overlap-seconds', '60'];
    const { secret } = await answerOf(admin('endpoint', 'rotate-secret', ...options));
    expect(secret).toMatch(/^whsec_/);
    const secrets = await rows<{ seconds: number | null }>(
      `SELECT extract(epoch FROM expires_at - now())::float8 AS seconds FROM webhook_secret
       WHERE endpoint_id = '${endpoint}' ORDER BY created_at`,
    );
    expect(secrets).toEqual([{ seconds: expect.any(Number) }, { seconds: null }]);
    expect(secrets[0]?.seconds).toBeLessThanOrEqual(60);
    const shown = await rows(
      `SELECT FROM webhook_secret WHERE ciphertext LIKE '%${String(secret).slice(6, 20)}%'`,
    );
    expect(shown).toEqual([]);
  });

  test('it is sent a test event', async () => {
    const { endpoint } = await aClinicWithDelivery();
    const { eventId, deliveryId } = await answerOf(admin('endpoint', 'test', '--endpoint', endpoint));
    expect(await answerOf(admin('delivery', 'show', '--delivery', String(deliveryId)))).toMatchObject({
      eventId,
      eventType: 'webhook.test',
      status: 'pending',
    });
  });

  test('its receiver works again, and everything that waits for a retry is due now, in order', async () => {
    const { clinic, endpoint, delivery } = await aClinicWithDelivery();
    await answerOf(admin('tenant', 'update', '--tenant', clinic, '--timezone', 'Europe/Lisbon'));
    const [second = {}] = await itemsOf(admin('delivery', 'list', '--tenant', clinic, '--limit', '1'));
    const other = await aClinicWithDelivery();
    for (const each of [delivery, idOf(second), other.delivery]) await addFailedAttempt(each);
    const retryAll = () => answerOf(admin('delivery', 'retry-now', '--endpoint', endpoint));
    expect(await retryAll()).toEqual({ deliveries: 2 });
    const asked = await rows<{ id: string }>(
      `SELECT message -> 'delivery' ->> 'deliveryId' AS id FROM outbox
       WHERE message ->> 'kind' = 'retryDelivery' AND message -> 'delivery' ->> 'endpointId' IN ('${endpoint}', '${other.endpoint}')
       ORDER BY id`,
    );
    expect(asked.map(({ id }) => id)).toEqual([delivery, idOf(second)]);
    expect(await retryAll()).toEqual({ deliveries: 0 });
  });

  test('what is off cannot be retried, and one of delivery and endpoint must be named', async () => {
    const { endpoint, delivery } = await aClinicWithDelivery();
    await answerOf(admin('endpoint', 'disable', '--endpoint', endpoint));
    expect(await admin('delivery', 'retry-now', '--endpoint', endpoint)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('endpoint_deactivated'),
    });
    for (const words of [[], ['--endpoint', endpoint, '--delivery', delivery]]) {
      expect(await admin('delivery', 'retry-now', ...words)).toMatchObject({ exitCode: 2, stdout: '' });
    }
  });
});

describe('deliveries', () => {
  test('they are found by endpoint, event and error class, with clinic and receiver', async () => {
    const { clinic, endpoint, delivery } = await aClinicWithDelivery();
    await addFailedAttempt(delivery);
    const [found = {}] = await itemsOf(admin('delivery', 'list', '--endpoint', endpoint));
    expect(found).toMatchObject({
      id: delivery,
      tenantId: clinic,
      endpointUrl: RECEIVER,
      appointmentId: null,
    });
    const idsFor = async (...filter: string[]) =>
      (await itemsOf(admin('delivery', 'list', ...filter))).map(idOf);
    expect(await idsFor('--event', String(found['eventId']))).toEqual([delivery]);
    expect(await idsFor('--tenant', clinic, '--error-class', 'http_5xx')).toEqual([delivery]);
    expect(await idsFor('--tenant', clinic, '--error-class', 'tls_error')).toEqual([]);
    expect(await idsFor('--appointment', clinic)).toEqual([]);
    const { createdAt = '' } = found;
    expect(await idsFor('--tenant', clinic, '--since', String(createdAt))).toEqual([delivery]);
    expect(await idsFor('--tenant', clinic, '--until', String(createdAt))).toEqual([]);
  });

  test('one that has ended is sent again as a new one, which is shown', async () => {
    const { clinic, delivery } = await aClinicWithDelivery();
    expect(await admin('delivery', 'resend', '--delivery', delivery)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('delivery_open'),
    });
    await rows(
      `UPDATE webhook_delivery SET status = 'succeeded', next_attempt_at = NULL WHERE id = '${delivery}'`,
    );
    const resent = await answerOf(admin('delivery', 'resend', '--delivery', delivery));
    expect(resent).toMatchObject({ tenantId: clinic, resendOf: delivery, status: 'pending', attempts: [] });
    expect(await answerOf(admin('delivery', 'show', '--delivery', idOf(resent)))).toEqual(resent);
  });

  test('deliveries are listed newest first with their attempts, of one clinic or one status', async () => {
    const [first, second] = [await aClinicWithDelivery(), await aClinicWithDelivery()];
    await addFailedAttempt(first.delivery);
    const all = await itemsOf(admin('delivery', 'list'));
    expect(all.map(idOf).slice(0, 2)).toEqual([second.delivery, first.delivery]);
    expect(await itemsOf(admin('delivery', 'list', '--limit', '1'))).toEqual(all.slice(0, 1));
    expect(await itemsOf(admin('delivery', 'list', '--tenant', second.clinic))).toMatchObject([
      { id: second.delivery, status: 'pending', attemptCount: 0, attempts: [], resendOf: null },
    ]);
    const retrying = await itemsOf(
      admin('delivery', 'list', '--status', 'retrying', '--tenant', first.clinic),
    );
    expect(retrying).toMatchObject([
      {
        id: first.delivery,
        eventType: 'tenant.config_updated',
        endpointId: first.endpoint,
        workflowId: expect.stringMatching(/^delivery:evt_[0-9a-f]{32}:[0-9a-f-]{36}$/),
        attemptCount: 1,
        attempts: [
          { number: 1, outcome: 'failed', durationMs: 12, errorClass: 'http_5xx', responseStatus: 503 },
        ],
      },
    ]);
  });

  test('retry-now makes the delivery due and tells its workflow', async () => {
    const { delivery } = await aClinicWithDelivery();
    await addFailedAttempt(delivery);
    const hastened = await answerOf(admin('delivery', 'retry-now', '--delivery', delivery));
    expect(hastened).toMatchObject({ id: delivery, status: 'retrying', attemptCount: 1 });
    expect(Date.parse(String(hastened['nextAttemptAt']))).toBeLessThanOrEqual(Date.now());
    const messages = await rows<{ message: Json }>(
      `SELECT message FROM outbox WHERE message->>'kind' = 'retryDelivery' AND message->>'workflowId' = '${String(hastened['workflowId'])}'`,
    );
    expect(messages).toHaveLength(1);
  });

  test.each(['succeeded', 'failed', 'skipped'])('a delivery that has %s is not retried', async (status) => {
    const { delivery } = await aClinicWithDelivery();
    await rows(
      `UPDATE webhook_delivery SET status = '${status}', next_attempt_at = NULL WHERE id = '${delivery}'`,
    );
    const refused = await admin('delivery', 'retry-now', '--delivery', delivery);
    expect(refused).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('delivery_final'),
    });
  });
});

function createEndpoint(clinic: string, ...options: string[]) {
  return admin('endpoint', 'create', '--tenant', clinic, '--url', RECEIVER, ...options);
}

async function aClinic(): Promise<string> {
  return idOf(await answerOf(admin('tenant', 'create', '--name', 'Clínica Sol', '--specialty', 'dental')));
}

/** A changed setting is an event, and so a delivery. */
async function aClinicWithDelivery() {
  const clinic = await aClinic();
  const endpoint = idOf(await answerOf(createEndpoint(clinic)));
  await answerOf(admin('tenant', 'update', '--tenant', clinic, '--timezone', 'Atlantic/Azores'));
  const [delivery = {}] = await itemsOf(admin('delivery', 'list', '--tenant', clinic));
  return { clinic, endpoint, delivery: idOf(delivery) };
}

async function addFailedAttempt(delivery: string): Promise<void> {
  await rows(
    `INSERT INTO webhook_attempt
       (tenant_id, delivery_id, number, started_at, duration_ms, outcome, error_class, response_status)
     SELECT tenant_id, id, 1, now(), 12, 'failed', 'http_5xx', 503 FROM webhook_delivery WHERE id = '${delivery}'`,
  );
  await rows(
    `UPDATE webhook_delivery SET status = 'retrying', attempt_count = 1, last_error_class = 'http_5xx',
       next_attempt_at = now() + interval '1 hour'
     WHERE id = '${delivery}'`,
  );
}

function rows<Row>(query: string): Promise<Row[]> {
  return database.em().execute<Row[]>(query);
}
