import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { migrate, pendingMigrations } from '../../db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

let testDatabase: TestDatabase;
let client: Client;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  client = await connected();
});

afterEach(async () => {
  await client.end();
  await testDatabase.drop();
});

async function connected(): Promise<Client> {
  const connection = new Client({ connectionString: testDatabase.url });
  await connection.connect();
  return connection;
}

test('two updates that start at the same moment on an empty database make its schema once', async () => {
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');

  const ran = await Promise.all([migrate(testDatabase.url), migrate(testDatabase.url)]);

  const [none, all] = ran.toSorted((a, b) => a.length - b.length);
  const { rows } = await client.query<{ name: string }>('SELECT name FROM mikro_orm_migrations ORDER BY id');
  expect(none).toEqual([]);
  expect(all).toEqual(rows.map(({ name }) => name));
  expect(await pendingMigrations(testDatabase.url)).toEqual([]);
});

test('a migration that meets a lock steps aside after a while, is tried again, and runs when the lock is gone', async () => {
  await client.query(`
    DROP TABLE recording_removal;
    DELETE FROM mikro_orm_migrations WHERE name = '010-recording-removals'`);
  const booking = await connected();
  await booking.query('BEGIN; LOCK TABLE tenant IN ROW EXCLUSIVE MODE');

  const migration = migrate(testDatabase.url);
  await until('the migration waits', async () => (await waiting()) === 1);
  await until('it steps aside', async () => (await waiting()) === 0);
  await until('it tries again', async () => (await waiting()) === 1);
  await booking.query('COMMIT');

  expect(await migration).toEqual(['010-recording-removals']);
  await booking.end();
});

async function waiting(): Promise<number> {
  const { rows } = await client.query<{ waiting: number }>(`
    SELECT count(*)::integer AS waiting
    FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return rows[0]?.waiting ?? 0;
}

const [tenant, professional, endpoint, appointment, delivery] = Array.from({ length: 5 }, () => randomUUID());

/** As the version with the migrations up to 008 sends them. */
const STATEMENTS_OF_THE_VERSION_BEFORE = [
  `INSERT INTO tenant (id, identity_org_id, name, country, specialty)
   VALUES ('${tenant}', 'org', 'Clínica da Luz', 'PT', 'dental')`,
  `INSERT INTO professional (id, tenant_id, name, specialty) VALUES ('${professional}', '${tenant}', 'Ana', 'Dentistry')`,
  `INSERT INTO webhook_endpoint (id, tenant_id, url, events)
   VALUES ('${endpoint}', '${tenant}', 'https://receiver.example/hook', '{*}')`,
  `INSERT INTO appointment (
     id, tenant_id, professional_id, service_type_id, patient_name, patient_phone_hash, starts_at, ends_at,
     block_from, block_until, source, patient_notes, metadata, external_id, rescheduled_from_id
   )
   SELECT '${appointment}', '${tenant}', '${professional}', NULL, 'Maria', 'hash', now(), now() + interval '1 hour',
     now(), now() + interval '1 hour', 'manual', NULL, NULL, NULL, NULL
   ON CONFLICT DO NOTHING`,
  `INSERT INTO webhook_event (id, tenant_id, type, body, appointment_id, created_at)
   VALUES ('evt_1', '${tenant}', 'appointment.created', '{}', '${appointment}', now())`,
  `INSERT INTO webhook_delivery
     (id, tenant_id, event_id, endpoint_id, event_type, appointment_id, workflow_id, status, next_attempt_at)
   VALUES ('${delivery}', '${tenant}', 'evt_1', '${endpoint}', 'appointment.created', '${appointment}', 'delivery', 'pending', now())`,
  `INSERT INTO appointment_change (tenant_id, appointment_id, at, kind, actor, request_id, changes, event_id)
   VALUES ('${tenant}', '${appointment}', now(), 'created', 'operator', NULL, '{}', 'evt_1')`,
  `INSERT INTO outbox (ordering_key, message)
   VALUES (NULL, '{"kind": "startDelivery", "clinicId": "${tenant}", "endpointId": "${endpoint}", "deliveryId": "${delivery}"}')`,
  `WITH due AS (
     SELECT id FROM outbox WHERE ordering_key IS NULL AND available_at <= clock_timestamp() ORDER BY id LIMIT 10
     FOR UPDATE SKIP LOCKED
   ), claimed AS (
     UPDATE outbox SET available_at = clock_timestamp() + make_interval(secs => 30) FROM due WHERE outbox.id = due.id
     RETURNING outbox.message, outbox.clinic_id, outbox.endpoint_id
   )
   INSERT INTO first_attempt (delivery_id, clinic_id, endpoint_id, held_until)
   SELECT (message ->> 'deliveryId')::uuid, clinic_id, endpoint_id, statement_timestamp() + interval '30 seconds'
   FROM claimed
   ON CONFLICT (delivery_id) DO UPDATE SET held_until = excluded.held_until`,
  `UPDATE outbox SET failures = failures + 1, last_error = 'unavailable', available_at = clock_timestamp() - interval '1 second'`,
  `INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms, outcome) VALUES ('${delivery}', 1, now(), 5, 'succeeded')`,
  `UPDATE webhook_delivery SET status = 'succeeded', attempt_count = 1, next_attempt_at = NULL WHERE id = '${delivery}'`,
  `DELETE FROM outbox WHERE available_at <= clock_timestamp()`,
];

test('deliveries that failed before the version that finds them by their error are found, too', async () => {
  for (const statement of STATEMENTS_OF_THE_VERSION_BEFORE) await client.query(statement);
  await client.query(`
    UPDATE webhook_delivery SET attempt_count = 3, last_error_class = NULL;
    INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms, outcome, error_class)
    SELECT '${delivery}', number, now(), 5, 'failed', error_class
    FROM (VALUES (2, 'dns_error'), (3, 'tls_error')) AS failed (number, error_class);
    DELETE FROM mikro_orm_migrations WHERE name = '014-delivery-errors'`);

  expect(await migrate(testDatabase.url)).toEqual(['014-delivery-errors']);

  const { rows } = await client.query('SELECT last_error_class FROM webhook_delivery');
  expect(rows).toEqual([{ last_error_class: 'tls_error' }]);
});

test('attempts say whose they are: those of before, and those that the version before goes on making', async () => {
  for (const statement of STATEMENTS_OF_THE_VERSION_BEFORE) await client.query(statement);
  await client.query(`
    ALTER TABLE webhook_attempt DROP COLUMN tenant_id CASCADE;
    DELETE FROM mikro_orm_migrations WHERE name = '060-clinics-of-attempts'`);

  expect(await migrate(testDatabase.url)).toEqual(['060-clinics-of-attempts']);
  await client.query(`
    INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms, outcome)
    VALUES ('${delivery}', 2, now(), 5, 'succeeded')`);

  const { rows } = await client.query('SELECT number, tenant_id FROM webhook_attempt ORDER BY number');
  expect(rows).toEqual([1, 2].map((number) => ({ number, tenant_id: tenant })));
});

test('processes of the version before go on booking and delivering on the new schema', async () => {
  for (const statement of STATEMENTS_OF_THE_VERSION_BEFORE) {
    const { rowCount } = await client.query(statement);
    expect({ statement, rowCount }).toEqual({ statement, rowCount: 1 });
  }
});
