import { uuidv7 } from 'uuidv7';
import type { Database } from '../../../db/connection/open-database.ts';
import { aSpeech, aStartedCall } from '../../calls/call-builders.ts';
import { uploadTo } from '../../calls/recording-builders.ts';
import { createApiClient, type ApiAnswer, type ApiClient } from '../../support/api-client.ts';
import { aClinic, aKey, bookingBody, inHours, type TestClinic } from '../../support/clinic.ts';
import { startTestDashboard } from '../../support/pages/dashboard-server.ts';
import { startTestApi } from '../../support/servers/api-server.ts';
import { storedRows } from '../../support/stored/stored-texts.ts';

/** A clinic that has one of everything, all of whose texts hold `mark`. */
export interface FullClinic extends TestClinic {
  mark: string;
  client: ApiClient;
  /** What it has, by the word for it. */
  ids: Record<Thing, string>;
}

export type Thing =
  | 'appointment'
  | 'professional'
  | 'service'
  | 'call'
  | 'recording'
  | 'hold'
  | 'block'
  | 'endpoint'
  | 'event'
  | 'delivery'
  | 'notification'
  | 'key'
  | 'person';

/** @param api whose database it is; `clinic`: one that is there already */
export async function aFullClinic(
  api: { url: string; database: Database; clinic?: TestClinic },
  mark: string,
): Promise<FullClinic> {
  const { database } = api;
  const clinic = api.clinic ?? (await aClinic(database, { professionals: 2 }));
  const client = createApiClient(api.url, await aKey(database, clinic.tenantId));
  await name(database, clinic, mark);
  const endpoint = await made(
    client.post('/v1/webhook-endpoints', {
      url: `https://${mark}.example/hook`,
      events: ['*'],
      description: mark,
    }),
  );
  const call = await aCallOf(client, mark);
  const appointment = await anAppointmentOf(client, clinic, mark);
  const hold = await made(client.post('/v1/slot-holds', slotOf(clinic, 40)));
  const blocked = {
    professionalId: null,
    startsAt: inHours(60).toISOString(),
    endsAt: inHours(61).toISOString(),
    title: mark,
  };
  const block = await made(client.send('PUT', `/v1/busy-blocks/${mark}`, { body: blocked }));
  const person = await writeRows(database, clinic, { mark, endpoint });
  const rest = await findRows(database, clinic);
  const [professional = ''] = clinic.professionalIds;
  const service = clinic.serviceTypeId;
  const ids = { appointment, professional, service, call, hold, block, endpoint, person, ...rest };
  return { ...clinic, mark, client, ids };
}

async function made(answer: Promise<ApiAnswer>): Promise<string> {
  const { status, body, text } = await answer;
  if (status >= 300) throw new Error(`not made: ${text}`);
  const { id } = body;
  if (typeof id !== 'string') throw new Error('it has no id');
  return id;
}

function slotOf({ professionalIds, serviceTypeId }: TestClinic, hour: number) {
  return { professionalId: professionalIds[0], serviceTypeId, startsAt: inHours(hour).toISOString() };
}

async function name(database: Database, { tenantId }: TestClinic, mark: string): Promise<void> {
  const em = database.em();
  await em.execute('UPDATE tenant SET name = ?, legal_name = ?, email = ?, public_slug = ? WHERE id = ?', [
    mark,
    mark,
    `${mark}@clinic.example`,
    mark,
    tenantId,
  ]);
  for (const table of ['professional', 'service_type'])
    await em.execute(`UPDATE ${table} SET name = ? WHERE tenant_id = ?`, [mark, tenantId]);
}

async function aCallOf(client: ApiClient, mark: string): Promise<string> {
  const id = await aStartedCall(client, { metadata: { mark } });
  await client.post(`/v1/calls/${id}/events`, { events: [aSpeech(0, { transcript: mark })] });
  await client.post(`/v1/calls/${id}/complete`, {
    endedAt: '2026-03-02T09:40:00.000Z',
    outcome: 'voicemail',
    summary: mark,
  });
  await uploadTo(client, id);
  return id;
}

async function anAppointmentOf(client: ApiClient, clinic: TestClinic, mark: string): Promise<string> {
  const details = {
    patientName: `${mark} Silva`,
    patientNotes: mark,
    metadata: { mark },
    patientExternalId: mark,
  };
  const booked = bookingBody(clinic, inHours(30), { ...details, externalId: mark });
  const id = await made(client.post('/v1/appointments', booked, { 'idempotency-key': uuidv7() }));
  await client.post('/v1/triage-forms', { appointmentId: id, answers: { mark } });
  await client.post('/v1/nps-responses', { appointmentId: id, score: 9, comment: mark });
  return id;
}

/** What comes about in other ways than by requests. */
async function writeRows(
  database: Database,
  { tenantId }: TestClinic,
  { mark, endpoint }: { mark: string; endpoint: string },
): Promise<string> {
  const em = database.em();
  const person = uuidv7();
  await em.execute(
    `INSERT INTO notification (id, tenant_id, kind, endpoint_id, endpoint_url, deactivate_at, mail, created_at)
     VALUES (uuid_v7(), ?, 'endpoint_failing', ?, ?, now(), 'no_address', now())`,
    [tenantId, endpoint, `https://${mark}.example/hook`],
  );
  await em.execute(
    `INSERT INTO webhook_attempt
       (tenant_id, delivery_id, number, started_at, duration_ms, outcome, error_class, response_status, response_excerpt)
     SELECT tenant_id, id, 1, now(), 5, 'failed', 'http_5xx', 500, ? FROM webhook_delivery WHERE tenant_id = ?`,
    [mark, tenantId],
  );
  await em.execute(
    `INSERT INTO person (id, tenant_id, issuer, subject, name, role, created_at, signed_in_at)
     VALUES (?, ?, 'https://identity.example', ?, ?, 'owner', now(), now())`,
    [person, tenantId, mark, mark],
  );
  await em.execute(`INSERT INTO audit_event (tenant_id, actor, action) VALUES (?, ?, 'tenant.updated')`, [
    tenantId,
    `person:${person}`,
  ]);
  return person;
}

const TABLES = {
  recording: 'call_recording',
  event: 'webhook_event',
  delivery: 'webhook_delivery',
  notification: 'notification',
  key: 'api_key',
} as const;

async function findRows(
  database: Database,
  { tenantId }: TestClinic,
): Promise<Record<keyof typeof TABLES, string>> {
  const found: Partial<Record<string, string>> = {};
  for (const [thing, table] of Object.entries(TABLES)) {
    const [row] = await database
      .em()
      .execute<{ id: string }[]>(`SELECT id FROM ${table} WHERE tenant_id = ? ORDER BY id LIMIT 1`, [
        tenantId,
      ]);
    if (!row) throw new Error(`the clinic has no ${thing}`);
    found[thing] = row.id;
  }
  return found as Record<keyof typeof TABLES, string>;
}

/** Everything that is stored of the clinic, but for what it has asked and seen itself, which is written down later. */
export async function rowsOf(database: Database, { tenantId }: FullClinic): Promise<string[]> {
  const stored = await storedRows(database);
  return [...stored]
    .filter(([table]) => !['request_log', 'patient_read'].includes(table))
    .flatMap(([, rows]) => rows.filter((row) => row.includes(tenantId)))
    .toSorted();
}

/** A dashboard, an API over the same database, and two clinics in it that have something of everything. */
export async function twoFullClinics() {
  const dashboard = await startTestDashboard();
  const api = await startTestApi({ database: dashboard.database });
  const place = { url: api.url, database: dashboard.database };
  return {
    dashboard,
    own: await aFullClinic({ ...place, clinic: dashboard.clinic }, 'ownmark'),
    other: await aFullClinic(place, 'othermark'),
    async stop() {
      await api[Symbol.asyncDispose]();
      await dashboard[Symbol.asyncDispose]();
    },
  };
}
