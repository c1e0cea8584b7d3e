import type { Pool } from 'pg';
import { expectJson, type Caller } from '../load/caller.ts';
import { until } from '../until.ts';
import { A_SECOND_EACH, cloneAppointments, uuidAt } from './clone-appointments.ts';
import { cloneRows } from './clone-rows.ts';
import type { Service } from './start-service.ts';

const TEMPLATE_LIMIT_MS = 60_000;
const DAY_MS = 86_400_000;

function eventIdAt(ms: string): string {
  return `'evt_' || replace((${uuidAt(ms)})::text, '-', '')`;
}

const UUID = uuidAt(A_SECOND_EACH);
const EVENT_ID = eventIdAt(A_SECOND_EACH);
const AT = `now() - interval '1 second' * i`;

/**
 * Gives a clinic so many appointments, each with its change, event, delivery and attempt: copies of one that the service
 * itself has booked and delivered. One in a thousand is a no-show, one in five cancelled. The clinic needs an endpoint.
 */
export async function fillWithAppointments(service: Service, caller: Caller, count: number): Promise<string> {
  const { sql } = service;
  const { id } = await expectJson<{ id: string }>(
    caller.send('POST', '/v1/appointments', caller.nextBooking()),
  );
  const delivery = await until('a delivered event', () => succeeded(caller, id), TEMPLATE_LIMIT_MS);
  const { professionals, tenantId } = caller.clinic;
  const { day, filled } = await filledBefore(sql, tenantId);
  const fill = (table: string, template: [string, string], changes: string) =>
    cloneRows(sql, { table, template, count, changes, parameters: [id] });
  await cloneAppointments(service, {
    tenantId,
    templateId: id,
    count,
    changes: `(SELECT jsonb_build_object(
        'professional_id', ($3::uuid[])[1 + i % cardinality($3::uuid[])],
        'patient_phone_hash', md5((i % 20000)::text), 'external_id', 'pms-' || $5::int + i,
        'starts_at', start, 'ends_at', start + interval '1 minute',
        'block_from', start, 'block_until', start + interval '1 minute',
        'status', status, 'blocks', status = 'confirmed', 'created_at', ${AT}, 'updated_at', ${AT})
      FROM (SELECT
        $4::timestamptz + interval '1 minute' * (i / cardinality($3::uuid[])) AS start,
        CASE WHEN i % 1000 = 0 THEN 'no_show' WHEN i % 5 = 0 THEN 'cancelled' ELSE 'confirmed' END AS status))`,
    parameters: [professionals, day, filled],
  });
  const ofOne = `'appointment_id', ${UUID}, 'event_id', ${EVENT_ID}`;
  const type = `CASE WHEN i % 1000 = 0 THEN 'appointment.no_show' ELSE 'appointment.created' END`;
  await fill('appointment_change', ['appointment_id', id], `jsonb_build_object(${ofOne})`);
  await fill(
    'webhook_event',
    ['appointment_id', id],
    `jsonb_build_object('id', ${EVENT_ID}, 'type', ${type}, 'created_at', ${AT}, 'body', '{}', ${ofOne})`,
  );
  await fill(
    'webhook_delivery',
    ['id', delivery],
    `jsonb_build_object('id', ${UUID}, 'event_type', ${type}, 'created_at', ${AT}, ${ofOne},
       'status', CASE WHEN i % 1000 = 0 THEN 'skipped' ELSE 'succeeded' END)`,
  );
  await fill('webhook_attempt', ['delivery_id', delivery], `jsonb_build_object('delivery_id', ${UUID})`);
  return id;
}

/** How many a clinic was given before, and a day after all of its appointments, no sooner than in 400 days. */
async function filledBefore(sql: Pool, tenantId: string): Promise<{ day: Date; filled: number }> {
  const { rows } = await sql.query<{ day: Date; filled: number }>(
    `SELECT
       date_trunc('day', greatest(now() + interval '400 days', max(starts_at))) + interval '1 day' AS day,
       count(external_id)::integer AS filled
     FROM appointment
     WHERE tenant_id = $1`,
    [tenantId],
  );
  if (rows[0] === undefined) throw new Error('no row');
  return rows[0];
}

/** So many events of 500 days ago, each with a delivery and an attempt. The clinic needs an endpoint. */
export async function fillWithOldEvents(sql: Pool, caller: Caller, count: number): Promise<void> {
  const { id } = await expectJson<{ id: string }>(
    caller.send('POST', '/v1/appointments', caller.nextBooking()),
  );
  const delivery = await until('a delivered event', () => succeeded(caller, id), TEMPLATE_LIMIT_MS);
  const at = `now() - interval '500 days' + interval '1 second' * i`;
  const [uuid, eventId] = [uuidAt, eventIdAt].map((make) => make(`-500 * ${DAY_MS}::bigint + 1000 * i`));
  const times = `'created_at', ${at}, 'updated_at', ${at}`;
  const fill = (table: string, template: [string, string], changes: string) =>
    cloneRows(sql, { table, template, count, changes: `jsonb_build_object(${changes})`, parameters: [id] });
  // Foreign keys are not looked up a million times: the rows agree by how they are made.
  await sql.query('SET session_replication_role = replica');
  await fill('webhook_event', ['appointment_id', id], `'id', ${eventId}, 'created_at', ${at}`);
  await fill('webhook_delivery', ['id', delivery], `'id', ${uuid}, 'event_id', ${eventId}, ${times}`);
  await fill('webhook_attempt', ['delivery_id', delivery], `'delivery_id', ${uuid}, 'started_at', ${at}`);
  await sql.query('RESET session_replication_role');
}

async function succeeded(caller: Caller, appointmentId: string): Promise<string | undefined> {
  const answer = caller.send('GET', `/v1/webhook-deliveries?appointmentId=${appointmentId}`);
  const { items } = await expectJson<{ items: { id: string; status: string }[] }>(answer);
  return items.find(({ status }) => status === 'succeeded')?.id;
}

/** Calls on both sides of what the lists show: their numbers open only for the call they were sealed for. */
const SHOWN = 120;
export const MIDDLE = new Date(Date.now() - 200 * DAY_MS);

/** So many calls, copies of one; those that a page of the latest, the rare or the middle ones shows are real. */
export async function fillWithCalls(sql: Pool, caller: Caller, count: number): Promise<void> {
  const now = Date.now();
  const ids: string[] = [];
  for (let i = 0; i < SHOWN; i += 1) {
    ids.push(await call(caller, new Date(now - i * 60_000), i % 2 === 0 ? 'voicemail' : 'info_only'));
    await call(caller, new Date(MIDDLE.getTime() - (i + 1) * 1000), 'info_only');
  }
  await cloneRows(sql, {
    table: 'call',
    template: ['id', ids[1] ?? ''],
    count,
    changes: `(SELECT jsonb_build_object(
        'id', md5($3::text || i)::uuid, 'from_number_hash', md5(i::text), 'started_at', start, 'ended_at', start + interval '1 minute',
        'outcome', CASE WHEN i % 1000 = 0 THEN 'voicemail' ELSE 'info_only' END)
      FROM (SELECT
        $4::timestamptz + CASE i % 2 WHEN 0 THEN -1 ELSE 1 END * (interval '1 hour' + interval '10 seconds' * i) AS start))`,
    parameters: [ids[0], MIDDLE],
  });
}

async function call(caller: Caller, startedAt: Date, outcome: string): Promise<string> {
  const id = crypto.randomUUID();
  const body = { fromNumber: '+351910000000', toNumber: '+351210000000', startedAt: startedAt.toISOString() };
  await expectJson(caller.send('PUT', `/v1/calls/${id}`, body));
  const ending = { endedAt: new Date(startedAt.getTime() + 1000).toISOString(), outcome };
  await expectJson(caller.send('POST', `/v1/calls/${id}/complete`, ending));
  return id;
}
