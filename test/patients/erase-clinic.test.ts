import { readFile, rm, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { openFileStorage } from '../../adapters/recordings/open-recording-storage.ts';
import { eraseClinic } from '../../commands/clinic/erase-clinic.ts';
import { createPortalLink } from '../../commands/people/portal-links.ts';
import { signIn } from '../../commands/people/sign-in.ts';
import { createEndpoint } from '../../commands/webhooks/save-endpoint.ts';
import { createRecordingLinks } from '../../domain/calls/recording-link.ts';
import { adminWith, answerOf, type Json } from '../admin/admin-runs.ts';
import { AUDIO } from '../calls/recording-builders.ts';
import { createApiClient } from '../support/api-client.ts';
import { suiteApi, TEST_CIPHER } from '../support/servers/api-server.ts';
import { aClinic, asOperator, bookingBody, inHours } from '../support/clinic.ts';
import { answerWith } from '../support/servers/receiver.ts';
import { readHistories } from '../support/temporal-histories.ts';
import { until } from '../support/until.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { countsOf, everythingStored, recordingsStored } from './everything-stored.ts';
import { aKnownPatient, TRACES } from './known-patient.ts';
import { forSuite } from '../support/for-suite.ts';

const KEY = Buffer.alloc(32, 9);
const CLINIC = [
  '--name',
  'Zircon',
  '--legal-name',
  'Zephyr Lda',
  '--city',
  'Zamora',
  '--email',
  'zoe@zip.example',
];
/** Who signs in, and where. */
const PEOPLE = ['Zuleika', 'z-1797', 'login.zambezi.example'];
/** What the clinic itself is told by, besides what its patients are. */
const TRACES_OF_CLINIC = [
  'Zircon',
  'Zephyr',
  'Zamora',
  'zoe@zip',
  'zest',
  'Zelda',
  'zinnia',
  'ziggurat',
  ...PEOPLE,
];

const { path: recordings } = await forSuite(mkdtempDisposable(join(tmpdir(), 'clinic-leaves-')));
const links = createRecordingLinks([KEY], 'http://api.test');
const api = await suiteApi({ recordings: { storage: await openFileStorage(recordings), links } });
const surroundings = await forSuite(createWorkerSurroundings(api.databaseUrl));
const admin = adminWith({
  DATABASE_URL: api.databaseUrl,
  SERVICE_MODE: 'test',
  PHONE_HASH_KEY: Buffer.alloc(32, 7).toString('base64'),
  ENCRYPTION_KEY: KEY.toString('base64'),
  RECORDINGS_URL: pathToFileURL(recordings).href,
  ADMIN_ACTOR: 'ana',
});

const execute = (text: string, values: unknown[] = []) => api.database.em().execute<Json[]>(text, values);

/** All that a clinic has, with a receiver that repeats what it was sent; returns once everything was tried. */
async function aBusyClinic(): Promise<void> {
  const { tenantId, professionalIds, serviceTypeId } = api.clinic;
  await answerOf(admin('tenant', 'update', '--tenant', tenantId, ...CLINIC));
  const [professional = ''] = professionalIds;
  await answerOf(admin('professional', 'update', '--professional', professional, '--name', 'Zelda'));
  await answerOf(admin('service', 'update', '--service', serviceTypeId, '--name', 'zinnia'));
  await api.client.patch('/v1/tenants/me', { config: { greeting: 'ziggurat' } });
  await somebodySignsIn(tenantId);
  const receiver = await surroundings.startReceiver();
  receiver.otherwise(answerWith(500, 'Zulmira is unknown'));
  const input = {
    tenantId,
    url: receiver.url('/zest'),
    events: ['*'],
    description: 'zest',
  };
  await api.database.write((em) => createEndpoint(em, input, asOperator()));
  await aKnownPatient(api, 30);
  const worker = await surroundings.startWorker();
  await until('an attempt of each', async () => {
    const unsent = await execute(
      'SELECT 1 FROM webhook_delivery WHERE NOT EXISTS (SELECT FROM webhook_attempt WHERE delivery_id = webhook_delivery.id)',
    );
    return unsent.length === 0;
  });
  await until('workflows', async () => (await histories()).includes('appointmentNoShow'));
  await worker.stop();
}

/** And is led to the webhook pages by a PMS. */
async function somebodySignsIn(tenantId: string): Promise<void> {
  const [{ organisation } = { organisation: '' }] = await api.database
    .em()
    .execute<{ organisation: string }[]>('SELECT identity_org_id AS organisation FROM tenant WHERE id = ?', [
      tenantId,
    ]);
  const [name = '', subject = '', host] = PEOPLE;
  const claims = { subject, name, organisation, role: 'owner', isOfSupport: false };
  const identity = { issuer: `https://${host}`, ...claims };
  const grant = { kind: 'refresh' as const, token: `refresh of ${name}` };
  const visit = { browser: 'Firefox', system: 'Windows', address: '192.0.2.7' };
  const input = { identity, grant, visit };
  const signedIn = await api.database.write((em) => signIn(em, TEST_CIPHER, input, asOperator()));
  expect(signedIn.refused).toBeNull();
  const link = { tenantId, dashboardUrl: 'https://dashboard.example' };
  await api.database.write((em) => createPortalLink(em, link, asOperator()));
}

async function histories(): Promise<string> {
  const { address, namespace } = surroundings.namespace;
  return (await readHistories(address, namespace)).join('\n');
}

test('a clinic that leaves takes everything along, and nothing that names it or its patients stays', async () => {
  const { clinic, database, client } = api;
  const ofClinic = ['--tenant', clinic.tenantId];
  const other = await aClinic(database);
  const otherClient = createApiClient(api.url, await api.keyOf(other));
  const body = bookingBody(other, inHours(30), { patientName: 'Rui Costa' });
  const kept = await otherClient.post('/v1/appointments', body);
  await aBusyClinic();

  const directory = join(recordings, 'given-out');
  const run = await admin('tenant', 'export', ...ofClinic, '--recordings', directory);
  const given = await answerOf(Promise.resolve(run));
  for (const trace of [...TRACES, ...TRACES_OF_CLINIC]) expect(run.stdout).toContain(trace);
  expect(run.stdout).not.toContain('Rui Costa');
  const [call] = given['calls'] as Json[];
  expect(await readFile(join(directory, String(call?.['id'])))).toEqual(AUDIO);
  const again = await admin('tenant', 'export', ...ofClinic, '--recordings', directory);
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^--recordings: EEXIST.*empty/) });
  expect(given['appointments']).toHaveLength(2);
  expect(given['recalls']).toHaveLength(1);
  const times = { firstSignedInAt: expect.any(String), lastSignedInAt: expect.any(String) };
  expect(given['people']).toEqual([
    {
      id: expect.any(String),
      tenantId: clinic.tenantId,
      blockedAt: null,
      issuer: `https://${PEOPLE[2]}`,
      subject: PEOPLE[1],
      name: PEOPLE[0],
      role: 'owner',
      ...times,
    },
  ]);
  await rm(directory, { recursive: true });

  const unlike = await admin('tenant', 'erase', ...ofClinic, '--confirm', 'Zorro');
  expect(unlike).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Nothing was erased') });
  const active = await admin('tenant', 'erase', ...ofClinic, '--confirm', 'Zircon');
  expect(active).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is trial') });
  await answerOf(admin('tenant', 'update', ...ofClinic, '--status', 'canceled'));
  const before = await countsOf(database);
  expect(await recordingsStored(recordings)).toBe(1);

  // It is killed on the way, and begun again.
  const killed = eraseClinic(
    {
      database,
      context: asOperator(),
      onErased(part) {
        if (part === 'recordings') throw new Error('killed');
      },
    },
    clinic.tenantId,
  );
  await expect(killed).rejects.toThrow('killed');
  const erased = await answerOf(admin('tenant', 'erase', ...ofClinic, '--confirm', 'Zircon'));
  expect(erased).toMatchObject({ appointments: 2, calls: 2, recordings: 0, clinics: 1 });

  expect(
    await execute('SELECT sealed, destroyed_at IS NOT NULL AS gone FROM clinic_key WHERE tenant_id = ?', [
      clinic.tenantId,
    ]),
  ).toEqual([{ sealed: null, gone: true }]);
  const left = `${await everythingStored(database, recordings)}${await histories()}`;
  for (const trace of [...TRACES, ...TRACES_OF_CLINIC]) expect(left).not.toContain(trace);
  const found = 'name_hash IS NOT NULL OR name_tokens IS NOT NULL';
  expect(
    await execute(`SELECT 1 FROM appointment WHERE tenant_id = ? AND (${found})`, [clinic.tenantId]),
  ).toEqual([]);
  expect(await recordingsStored(recordings)).toBe(0);
  expect(await countsOf(database)).toEqual(before);
  expect((await client.get('/v1/tenants/me')).status).toBe(401);
  expect(await execute('SELECT 1 FROM webhook_endpoint WHERE deleted_at IS NULL')).toEqual([]);
  for (const table of ['person', 'session', 'portal_link'])
    expect(await execute(`SELECT 1 FROM ${table} WHERE tenant_id = ?`, [clinic.tenantId])).toEqual([]);
  expect(await execute(`SELECT 1 FROM webhook_delivery WHERE status IN ('pending', 'retrying')`)).toEqual([]);
  const audit = await execute(`SELECT actor, details FROM audit_event WHERE action = 'tenant.erased'`);
  expect(audit).toEqual([{ actor: 'operator:ana', details: erased }]);
  const { id } = kept.body as { id: string };
  expect((await otherClient.get(`/v1/appointments/${id}`)).body).toEqual(kept.body);
});

test('an erased clinic cannot be made active again: what it would store and send no one could open', async () => {
  const { tenantId } = await aClinic(api.database);
  const ofClinic = ['--tenant', tenantId];
  await answerOf(admin('tenant', 'update', ...ofClinic, '--status', 'canceled'));
  await answerOf(admin('tenant', 'erase', ...ofClinic, '--confirm', tenantId));
  const back = await admin('tenant', 'update', ...ofClinic, '--status', 'active');
  expect(back).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('was erased') });
  expect(await answerOf(admin('tenant', 'show', ...ofClinic))).toMatchObject({ status: 'canceled' });
});

test('whatever table is added, the erasure of a clinic has been thought of', async () => {
  const found = await execute(
    `SELECT table_name AS name FROM information_schema.columns
     JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND column_name = 'tenant_id' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  expect(found.map(({ name }) => name)).toEqual([
    // Minutes, times and the id of an appointment.
    'acknowledgement_watch',
    'api_key',
    'appointment_change',
    'audit_event',
    'busy_block',
    'calendar_entry',
    'call',
    'call_event',
    'call_recording',
    'clinic_key',
    // Counts.
    'clinic_usage',
    'clinic_window',
    'idempotency_record',
    'kept_form',
    'notification',
    'nps_response',
    'patient_email',
    // Ids of appointments, calls and who saw them.
    'patient_read',
    'person',
    'portal_link',
    'professional',
    'recall',
    'recall_scan',
    // The ids of visits.
    'recalled_visit',
    'recording_removal',
    // Hours and times.
    'reminder_scan',
    // A week of what was asked by key, method and route.
    'request_log',
    'self_booking',
    'service_eligibility',
    'service_type',
    'session',
    'triage_form',
    // Counts on their way to `clinic_usage`.
    'usage_change',
    'webhook_attempt',
    'webhook_delivery',
    'webhook_endpoint',
    'webhook_event',
    'webhook_replay',
    'webhook_secret',
  ]);
});
