import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { findOwnSession, findWalls } from '../../../db/diagnosis/find-walls.ts';
import { findClinicOfVisit } from '../../../db/clinic/clinic-of-guests.ts';
import type { Database } from '../../../db/connection/open-database.ts';
import { createLogins } from '../../../db/create-logins.ts';
import { openGuestDatabase } from '../../../dashboard/start.ts';
import { grantToApplication } from '../../../db/grant-to-application.ts';
import { insertPatientEmail, purgePatientEmails } from '../../../db/self-service/patient-emails.ts';
import { renewLease } from '../../../db/outbox/lease-rows.ts';
import { aLease } from '../../support/leases.ts';
import { migrate } from '../../../db/migrate.ts';
import { BASELINE } from '../../../db/unreleased-schema.ts';
import { aClinic, book } from '../../support/clinic.ts';
import { TEST_ENCRYPTION_KEY, TEST_SEALING } from '../../support/sealing.ts';
import { startOwnPostgres } from '../../support/environment/test-postgres.ts';
import { startApiProcess } from '../../support/servers/api-process.ts';
import { createApiClient, type ApiClient } from '../../support/api-client.ts';
import { aKey, bookingBody, inHours } from '../../support/clinic.ts';
import { forSuite } from '../../support/for-suite.ts';
import { openDatabaseAt } from '../../support/database.ts';
import { queueOf } from '../../support/queue-reader.ts';
import { until } from '../../support/until.ts';

/** A server of its own, because roles belong to the server. */
const server = await forSuite(startOwnPostgres());
const superuser = new Client({ connectionString: urlOf('postgres') });
await superuser.connect();
const template = new URL(server.templateUrl).pathname.slice(1);
await superuser.query(`DROP DATABASE ${template}`);
await dropRoles();
afterAll(async () => {
  await superuser.end();
  await server.stop('fast');
});

/** As on a server that has never had a database of the service. */
async function dropRoles(): Promise<void> {
  for (const role of ['clinic_tenant', 'clinic_service', 'clinic_admission', 'clinic_guest'])
    await superuser.query(`DROP ROLE ${role}`);
}

function urlOf(database: string, login?: string, password = login ?? ''): string {
  const url = new URL(server.templateUrl);
  url.pathname = `/${database}`;
  if (login !== undefined) [url.username, url.password] = [login, password];
  return url.href;
}

/** A database, and the login that owns it. */
async function anOwner(rights: string): Promise<string> {
  const name = `owner_${randomBytes(4).toString('hex')}`;
  await superuser.query(`CREATE ROLE ${name} LOGIN PASSWORD '${name}' ${rights}`);
  await superuser.query(`CREATE DATABASE ${name} OWNER ${name}`);
  return name;
}

async function sessionOf(database: Database) {
  return database.ofClinics([]).read((em) => findOwnSession(em));
}

test('two databases of one server are made at the same moment', async () => {
  const names = ['one', 'other'];
  for (const name of names) await superuser.query(`CREATE DATABASE ${name}`);
  const [one = [], other] = await Promise.all(names.map((name) => migrate(urlOf(name))));
  expect(one).toContain(BASELINE);
  expect(other).toEqual(one);
  for (const name of names) await superuser.query(`DROP DATABASE ${name}`);
  await dropRoles();
});

test('an owner who may create roles builds the walls, and so do owners after it who were handed the roles', async () => {
  const first = await anOwner('CREATEROLE');
  await migrate(urlOf(first, first));
  const second = await anOwner('');
  await expect(migrate(urlOf(second, second))).rejects.toMatchObject({ code: '42501' });
  await superuser.query(
    `GRANT clinic_tenant, clinic_service, clinic_admission, clinic_guest TO ${second} WITH ADMIN OPTION`,
  );
  await migrate(urlOf(second, second));
  for (const owner of [first, second]) {
    await using database = await openDatabaseAt(urlOf(owner, owner));
    const [one, other] = [await aClinic(database), await aClinic(database)];
    await book(database, one);
    await book(database, other);
    expect(await sessionOf(database)).toEqual({ role: 'clinic_tenant', seesAll: false });
    expect(await findWalls(database.em())).toMatchObject({ bare: [] });
    const seen = await database
      .ofClinic(one.tenantId)
      .read((em) => em.execute('SELECT tenant_id FROM appointment'));
    expect(seen).toEqual([{ tenant_id: one.tenantId }]);
  }
});

test('a role apart from the owner works through the walls, also before it is granted anything again', async () => {
  const owner = await anOwner('');
  await superuser.query(
    `GRANT clinic_tenant, clinic_service, clinic_admission, clinic_guest TO ${owner} WITH ADMIN OPTION`,
  );
  await superuser.query(`CREATE ROLE application LOGIN PASSWORD 'application'`);
  await migrate(urlOf(owner, owner));
  await grantToApplication(urlOf(owner, owner), 'application');
  await using database = await openDatabaseAt(urlOf(owner, 'application'));
  const [one, other] = [await aClinic(database), await aClinic(database)];
  await book(database, other);
  expect(await sessionOf(database)).toEqual({ role: 'clinic_tenant', seesAll: false });
  expect(await database.em().execute('SELECT tenant_id FROM appointment')).toHaveLength(1);
  expect(
    await database.ofClinic(one.tenantId).read((em) => em.execute('SELECT tenant_id FROM appointment')),
  ).toEqual([]);
});

test('an API and public pages with logins of their own serve their clinics and see no patient beside', async () => {
  const owner = 'clinic';
  await superuser.query(`CREATE ROLE clinic LOGIN PASSWORD 'clinic'`);
  await superuser.query('CREATE DATABASE clinic OWNER clinic');
  await superuser.query('REVOKE CONNECT ON DATABASE clinic FROM PUBLIC');
  const login = (name: string) => ({ name, password: 'its own' });
  const logins = {
    api: login('clinic_api'),
    worker: login('clinic_worker'),
    dashboard: login('clinic_dashboard'),
    public: login('clinic_public'),
  };
  // Twice, as with every start.
  for (const _time of [1, 2]) await createLogins(urlOf('clinic'), logins, 'clinic_app');
  await migrate(urlOf(owner, owner));
  await grantToApplication(urlOf(owner, owner), 'clinic_app');
  await using database = await openDatabaseAt(urlOf(owner, owner));
  const clinic = await aClinic(database);
  const key = await aKey(database, clinic.tenantId);
  const api = await startApiProcess(urlOf(owner, 'clinic_api', 'its own'), {
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY.toString('base64'),
  });
  const client = createApiClient(api.url, key);
  const booked = await client.post('/v1/appointments', bookingBody(clinic, inHours(30)), {
    'idempotency-key': 'once',
  });
  const listed = await client.get('/v1/appointments', { updatedSince: inHours(-1).toISOString() });
  await expectReaderIsWoken(database, client);
  const visit = { id: String(booked.body['id']), tenantId: clinic.tenantId, endsAt: inHours(31) };
  await insertPatientEmail(database.em(), visit, { email: 'maria@mail.example', language: 'en' });
  await database.em().execute(`UPDATE patient_email SET keep_until = now() - interval '1 second'`);
  await using purging = await openDatabaseAt(urlOf(owner, 'clinic_api', 'its own'));
  await purgePatientEmails(purging.em(), 10);
  expect(await database.em().execute('SELECT FROM patient_email')).toEqual([]);
  await renewLease(database.em(), await aLease(database.em()), { seconds: 3600, reachesTemporal: true });
  const ready = await client.get('/health/ready');
  await api.stop();
  expect([booked.status, listed.status]).toEqual([201, 200]);
  expect(ready.body).toMatchObject({ status: 'ready', parts: { database: 'up', temporal: 'up' } });
  expect(
    await database.em().execute(`SELECT route FROM request_log WHERE route = '/v1/appointments'`),
  ).toHaveLength(2);

  await using guests = await openGuestDatabase(
    { database: { url: urlOf(owner, owner) }, publicDatabaseUrl: urlOf(owner, 'clinic_public', 'its own') },
    TEST_SEALING,
  );
  const { id } = booked.body as { id: string };
  const found = await findClinicOfVisit(guests, id);
  const visits = await guests
    .ofClinic(clinic.tenantId)
    .read((em) => em.execute('SELECT id FROM appointment'));
  expect([found?.id, visits]).toEqual([clinic.tenantId, [{ id }]]);
  expect(await guests.admission().execute('SELECT id FROM appointment')).toEqual([]);
  await expect(guests.em().execute('SELECT name FROM person')).rejects.toMatchObject({ code: '42501' });
  const { rows: memberships } = await superuser.query(
    `SELECT rolname FROM pg_roles WHERE pg_has_role('clinic_public', oid, 'MEMBER') ORDER BY rolname`,
  );
  expect(memberships).toEqual([{ rolname: 'clinic_guest' }, { rolname: 'clinic_public' }]);

  for (const each of ['clinic_worker', 'clinic_dashboard']) {
    await using serving = await openDatabaseAt(urlOf(owner, each, 'its own'));
    expect(await sessionOf(serving)).toEqual({ role: 'clinic_tenant', seesAll: false });
    expect(await serving.em().execute('SELECT id FROM appointment')).toEqual([{ id }]);
    await expect(serving.em().execute('DELETE FROM audit_event')).rejects.toMatchObject({ code: '42501' });
  }

  const bare = new Client({ connectionString: urlOf(owner, 'clinic_api', 'its own') });
  await bare.connect();
  const { rows } = await bare.query(
    'SELECT (SELECT count(*) FROM appointment) + (SELECT count(*) FROM call) + (SELECT count(*) FROM webhook_event) AS seen',
  );
  await expect(bare.query('SET ROLE clinic_service')).rejects.toMatchObject({ code: '42501' });
  await bare.end();
  expect(rows).toEqual([{ seen: '0' }]);
});

/** A reader gets an event before the wait of another one ends, whose queue stays empty. */
async function expectReaderIsWoken(database: Database, client: ApiClient): Promise<void> {
  const queue = async (events: string[]) =>
    String((await client.post('/v1/webhook-endpoints', { delivery: 'pull', events })).body['id']);
  const [busy, quiet] = [await queue(['appointment.*']), await queue(['nps.*'])];
  const waits = [queueOf(client, busy, { waitSeconds: 25 }), queueOf(client, quiet, { waitSeconds: 20 })];
  await until('both to wait', async () => {
    const unread = await database.em().execute('SELECT id FROM webhook_endpoint WHERE read_at IS NULL');
    return unread.length === 0;
  });
  await client.post(`/v1/webhook-endpoints/${busy}/test-events`, {});
  expect((await Promise.race(waits)).items).toHaveLength(1);
}
