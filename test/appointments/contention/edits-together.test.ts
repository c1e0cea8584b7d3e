import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { newEventId } from '../../../commands/webhooks/record-event.ts';
import { findAppointments } from '../../../db/appointments/find-appointment.ts';
import { updateAppointments } from '../../../db/appointments/update-appointments.ts';
import { eraseAppointments } from '../../../db/clinic/erase-clinic-rows.ts';
import type { AppointmentRow } from '../../../db/entities/appointment.entity.ts';
import { appointmentIn, createApiClient, type ApiAnswer, type ApiClient } from '../../support/api-client.ts';
import { aClinic, anEndpoint, book, bookingBody, inHours, type TestClinic } from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { lockWaits } from '../../support/lock-waits.ts';
import { until } from '../../support/until.ts';
import { storedBodies } from '../../support/stored/stored-events.ts';

const CLINICS = 3;
const PROFESSIONALS = 8;

interface Vendor {
  clinic: TestClinic;
  endpointId: string;
  client: ApiClient;
  /** Of appointments, one a professional. */
  ids: string[];
}

const api = await suiteApi();
const vendors = await Promise.all(Array.from({ length: CLINICS }, aVendor));

async function aVendor(): Promise<Vendor> {
  const clinic = await aClinic(api.database, { professionals: PROFESSIONALS });
  const booked = clinic.professionalIds.map((professionalId) =>
    book(api.database, clinic, { professionalId }),
  );
  const ids = (await Promise.all(booked)).map(({ id }) => id);
  const endpointId = await anEndpoint(api.database, clinic.tenantId);
  const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
  return { clinic, endpointId, client, ids };
}

function pathOf(id: string): string {
  return `/v1/appointments/${id}`;
}

interface UpdateRow {
  tenantId: string;
  createdAt: Date;
  body: { tenant: { name: string }; createdAt: string; data: Record<string, unknown> };
  endpoints: string[];
  /** Of the timeline. */
  changes: unknown[];
  /** The transaction that has written it. */
  transaction: string;
}

/** The updates of an appointment in their order. */
async function updatesOf(id: string): Promise<UpdateRow[]> {
  const { rows } = await sql<Omit<UpdateRow, 'body'> & { eventId: string }>`
    SELECT
      event.id AS "eventId", event.tenant_id AS "tenantId", event.xmin::text AS transaction,
      ARRAY(SELECT endpoint_id::text FROM webhook_delivery WHERE event_id = event.id) AS endpoints,
      ARRAY(SELECT changes FROM appointment_change WHERE event_id = event.id) AS changes
    FROM webhook_event event
    WHERE appointment_id = ${id}
      AND type = 'appointment.updated'
  `.execute(api.database.em().getKysely());
  const bodies = await storedBodies<UpdateRow['body']>(api.database, { appointmentId: id });
  const versionOf = ({ body }: UpdateRow) => (body.data['appointment'] as { version: number }).version;
  return rows
    .map(({ eventId, ...row }) => ({ ...row, body: bodies.get(eventId) as UpdateRow['body'] }))
    .toSorted((one, other) => versionOf(one) - versionOf(other));
}

const statusesOf = (answers: readonly ApiAnswer[]) => answers.map(({ status }) => status);

test('edits of several clinics that arrive together get their own answers, events, deliveries and timelines', async () => {
  const metadata = { room: '2 "b"', tags: ['fala\n{}', null] };
  const answers = await Promise.all(
    vendors.map(({ client, ids }) =>
      Promise.all(ids.map((id, at) => client.patch(pathOf(id), { patientNotes: `Nota ${at}`, metadata }))),
    ),
  );
  const transactions = new Set<string>();
  for (const [place, { ids, clinic, endpointId, client }] of vendors.entries()) {
    for (const [at, id] of ids.entries()) {
      const answer = answers[place]?.[at];
      expect(answer).toMatchObject({
        status: 200,
        body: { id, version: 2, patientNotes: `Nota ${at}`, metadata },
      });
      expect(answer?.headers.get('etag')).toBe('"2"');
      expect((await client.get(pathOf(id))).body).toEqual(answer?.body);
      const [update, ...more] = await updatesOf(id);
      const { updatedAt } = appointmentIn(answer as ApiAnswer);
      expect(more).toEqual([]);
      expect(update).toMatchObject({
        tenantId: clinic.tenantId,
        endpoints: [endpointId],
        changes: [{ fields: ['patientNotes', 'metadata'] }],
        body: {
          tenant: { name: 'Clínica da Luz' },
          createdAt: updatedAt,
          data: {
            changes: ['patientNotes', 'metadata'],
            appointment: { id, version: 2, updatedAt, patientNotes: `Nota ${at}`, metadata },
          },
        },
      });
      transactions.add(update?.transaction ?? '');
    }
  }
  expect(transactions.size).toBeLessThan(CLINICS * PROFESSIONALS);
});

test('an edit alone and one among others tell the same', async () => {
  const [{ ids, client }] = vendors as [Vendor];
  const [alone = '', together = ''] = ids;
  const edit = { metadata: { seen: true }, patientNotes: null };
  // Another field, though it stays the same, goes alone.
  await client.patch(pathOf(alone), { ...edit, externalId: null });
  await client.patch(pathOf(together), edit);
  const [one, other] = [(await updatesOf(alone)).at(-1), (await updatesOf(together)).at(-1)];
  const comparable = (update: UpdateRow | undefined) => {
    const { data: { requestId, ...data } = {}, ...envelope } = update?.body ?? {};
    const appointment = Object.keys(data['appointment'] ?? {});
    expect(requestId).toEqual(expect.any(String));
    return { envelope: Object.keys(envelope), changes: update?.changes, data: { ...data, appointment } };
  };
  expect(comparable(other)).toEqual(comparable(one));
  expect(other?.body.data['appointment']).toMatchObject(edit);
});

test('what is refused or changes nothing among edits that are made', async () => {
  const [{ ids, client }, stranger] = vendors as [Vendor, Vendor];
  const [made = '', stale = '', same = ''] = ids.slice(2);
  const { version, patientNotes } = appointmentIn(await client.get(pathOf(same)));
  const answers = await Promise.all([
    client.patch(pathOf(made), { patientNotes: 'a' }),
    client.patch(pathOf(stale), { patientNotes: 'b' }, { 'if-match': '"1"' }),
    client.patch(pathOf(same), { patientNotes }),
    client.patch(pathOf(stranger.ids[0] ?? ''), { patientNotes: 'c' }),
    client.patch(pathOf(uuidv7()), { patientNotes: 'd' }),
  ]);
  expect(statusesOf(answers)).toEqual([200, 412, 200, 404, 404]);
  expect(answers[2]?.body['version']).toBe(version);
  expect(await updatesOf(same)).toHaveLength(version - 1);
});

test('edits of one appointment that arrive together are all made, one after the other', async () => {
  const [, { ids, client }] = vendors as [Vendor, Vendor];
  const [id = ''] = ids;
  const before = appointmentIn(await client.get(pathOf(id))).version;
  const edits = Array.from({ length: 12 }, (_, at) =>
    client.patch(pathOf(id), { patientNotes: `Versão ${at}` }),
  );
  const answers = await Promise.all(edits);
  expect(statusesOf(answers)).toEqual(answers.map(() => 200));
  const made = answers.map((answer) => appointmentIn(answer)).sort((a, b) => a.version - b.version);
  expect(made.map(({ version }) => version)).toEqual(made.map((_, at) => before + 1 + at));
  const instants = made.map(({ updatedAt }) => Date.parse(updatedAt));
  expect(instants.every((instant, at) => at === 0 || instant > (instants[at - 1] ?? 0))).toBe(true);
  const told = (await updatesOf(id)).slice(-12).map(({ body }) => body.data['appointment']);
  expect(told).toMatchObject(
    made.map(({ version, updatedAt, patientNotes }) => ({ version, updatedAt, patientNotes })),
  );
});

test('an edit of an appointment that someone holds waits for him, and no other edit does', async () => {
  const [, , { ids, client }] = vendors as [Vendor, Vendor, Vendor];
  const [held = '', free = ''] = ids;
  const holds = Promise.withResolvers<void>();
  const letsGo = Promise.withResolvers<void>();
  const holder = api.database.write(async (em) => {
    await em.execute(`UPDATE appointment SET version = version + 1 WHERE id = '${held}'`);
    holds.resolve();
    await letsGo.promise;
  });
  await holds.promise;
  const waits = client.patch(pathOf(held), { patientNotes: 'depois' });
  expect(await client.patch(pathOf(free), { patientNotes: 'já' })).toMatchObject({ status: 200 });
  await until('the edit to wait', () => lockWaits(api.database.em()));
  letsGo.resolve();
  await holder;
  expect(await waits).toMatchObject({ status: 200, body: { version: 4, patientNotes: 'depois' } });
});

test('an edit that has read an appointment before its clinic was erased writes nothing', async () => {
  const { database } = api;
  const { clinic, ids } = await aVendor();
  const [id = ''] = ids;
  const { tenantId } = clinic;
  const em = database.em();
  const [read] = await findAppointments(em, [{ tenantId, id }]);
  await database.write((inside) =>
    eraseAppointments(inside, { tenantId, after: null, limit: PROFESSIONALS }),
  );
  const appointment = { ...(read?.appointment as AppointmentRow), patientNotes: 'Penicilina' };
  const event = {
    id: newEventId(),
    tenantId,
    type: 'appointment.updated' as const,
    body: ['{}'],
    appointmentId: id,
    timeline: [],
    messages: [],
    actor: 'test',
    requestId: null,
  };
  expect(await updateAppointments(em, [{ appointment, event }])).toEqual([]);
  expect(await updatesOf(id)).toEqual([]);
});

const READS_OF_EACH = 12;

async function aClinicWithAppointment(): Promise<{ client: ApiClient; id: string }> {
  const clinic = await aClinic(api.database);
  const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
  const booked = await client.post('/v1/appointments', bookingBody(clinic, inHours(24)));
  return { client, id: appointmentIn(booked).id };
}

test('reads of many clinics that arrive together each get their own appointment, or none', async () => {
  const clinics = await Promise.all(Array.from({ length: CLINICS }, aClinicWithAppointment));
  const reads = clinics.flatMap(({ client, id: own }, at) => {
    const anothers = clinics[(at + 1) % CLINICS]?.id;
    return Array.from({ length: READS_OF_EACH }, (_, nr) => {
      const id = [own, anothers, uuidv7()][nr % 3] as string;
      return { id, isOwn: id === own, answer: client.get(`/v1/appointments/${id}`) };
    });
  });
  const answers = await Promise.all(
    reads.map(async ({ id, isOwn, answer }) => ({ id, isOwn, answer: await answer })),
  );
  for (const { id, isOwn, answer } of answers) {
    expect(answer.status).toBe(isOwn ? 200 : 404);
    if (isOwn) expect(appointmentIn(answer).id).toBe(id);
  }
});
