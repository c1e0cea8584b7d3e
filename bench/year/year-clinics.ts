import type { Pool } from 'pg';
import { createCaller, createEndpoint, expectJson, type Caller } from '../load/caller.ts';
import { callerOfNewClinic } from '../scenarios/open-loop.ts';
import type { Bench } from '../scenario.ts';
import { slotsOf } from '../service/clinics.ts';
import { fillWithCalls } from '../service/fill-clinic.ts';
import { until } from '../until.ts';
import { copyRows } from './copy-rows.ts';

/** One in a hundred is a large one. */
const LARGE = { professionals: 40, appointmentsADay: 7, calls: 100_000 };
const ORDINARY = { professionals: 5, appointmentsADay: 5, calls: 10_000 };
const CONNECTIONS = 64;
const DELIVERY_LIMIT_MS = 60_000;

/** Two clinics of the year whose lists are asked for; the rest is as they are. */
export interface YearClinics {
  large: Caller;
  ordinary: Caller;
}

/** The tables of clinics, and in the schema `year` what the rows of their year are made of. */
export async function makeClinics(bench: Bench, count: number): Promise<void> {
  const { sql } = bench.service;
  await sql.query('CREATE SCHEMA year');
  await sql.query(
    `CREATE TABLE year.clinic (
       nr integer PRIMARY KEY, tenant_id uuid, is_large boolean, endpoint_id uuid, service_type_id uuid, template_id uuid)`,
  );
  await sql.query(
    'CREATE TABLE year.professional (clinic_nr integer, nr integer, id uuid, appointments_a_day integer)',
  );
  // That of the people of the local identity provider; the demo clinic is the oldest.
  await sql.query(
    'CREATE TABLE year.organisation AS SELECT identity_org_id FROM tenant ORDER BY created_at, id LIMIT 1',
  );
  const measured = [await makeMeasured(bench, LARGE), await makeMeasured(bench, ORDINARY)] as const;
  for (const [index, { caller, endpointId, templateId }] of measured.entries()) {
    await sql.query('INSERT INTO year.clinic VALUES ($1, $2, $3, $4, $5, $6)', [
      index + 1,
      caller.clinic.tenantId,
      index === 0,
      endpointId,
      caller.clinic.service,
      templateId,
    ]);
  }
  await copyClinics(sql, count);
  await sql.query('UPDATE service_type SET duration_minutes = 30');
}

/** A real clinic with an appointment that was delivered, from which the others’ rows are copied. */
async function makeMeasured(bench: Bench, { professionals, calls }: typeof LARGE) {
  const caller = await callerOfNewClinic(bench, professionals);
  const endpointId = await createEndpoint(caller, bench.receiver.url());
  const book = caller.send('POST', '/v1/appointments', caller.nextBooking());
  const { id: templateId } = await expectJson<{ id: string }>(book);
  await until('a delivered event', () => isDelivered(caller, templateId), DELIVERY_LIMIT_MS);
  // Its minute is free again for the year.
  await expectJson(caller.send('DELETE', `/v1/appointments/${templateId}`));
  await fillWithCalls(bench.service.sql, caller, bench.size(calls, calls / 10));
  return { caller, endpointId, templateId };
}

async function isDelivered(caller: Caller, appointmentId: string): Promise<boolean> {
  const path = `/v1/webhook-deliveries?appointmentId=${appointmentId}&eventType=appointment.created`;
  const { items } = await expectJson<{ items: { status: string }[] }>(caller.send('GET', path));
  return items.some(({ status }) => status === 'succeeded');
}

/** The others are copies of the ordinary one; every second has an endpoint. */
async function copyClinics(sql: Pool, count: number): Promise<void> {
  await sql.query(
    `INSERT INTO year.clinic
     SELECT nr, uuidv7(), nr % 100 = 1, CASE nr % 2 WHEN 0 THEN uuidv7() END, uuidv7(), template_id
     FROM generate_series(3, $1) AS nr, (SELECT template_id FROM year.clinic WHERE nr = 2) AS ordinary`,
    [count],
  );
  const copies = 'year.clinic WHERE clinic.nr > 2';
  const like = (table: string, column: string) =>
    `(SELECT * FROM ${table} WHERE id = (SELECT ${column} FROM year.clinic WHERE nr = 2)) AS template, ${copies}`;
  await copyRows(sql, {
    table: 'tenant',
    from: like('tenant', 'tenant_id'),
    changes: { id: 'clinic.tenant_id', identity_org_id: `'org_' || clinic.tenant_id` },
  });
  await copyRows(sql, {
    table: 'service_type',
    from: like('service_type', 'service_type_id'),
    changes: { id: 'clinic.service_type_id', tenant_id: 'clinic.tenant_id' },
  });
  await copyRows(sql, {
    table: 'webhook_endpoint',
    from: `${like('webhook_endpoint', 'endpoint_id')} AND clinic.endpoint_id IS NOT NULL`,
    changes: { id: 'clinic.endpoint_id', tenant_id: 'clinic.tenant_id' },
  });
  await makeProfessionals(sql);
}

async function makeProfessionals(sql: Pool): Promise<void> {
  await sql.query(
    `INSERT INTO year.professional
     SELECT clinic.nr, professional.nr, professional.id, CASE WHEN is_large THEN ${LARGE.appointmentsADay} ELSE ${ORDINARY.appointmentsADay} END
     FROM year.clinic
     CROSS JOIN LATERAL (
       SELECT row_number() OVER (ORDER BY id) AS nr, id FROM professional WHERE tenant_id = clinic.tenant_id
       UNION ALL
       SELECT nr, uuidv7()
       FROM generate_series(1, CASE WHEN is_large THEN ${LARGE.professionals} ELSE ${ORDINARY.professionals} END) AS nr
       WHERE clinic.nr > 2
     ) AS professional`,
  );
  await copyRows(sql, {
    table: 'professional',
    from: `(SELECT * FROM professional WHERE tenant_id = (SELECT tenant_id FROM year.clinic WHERE nr = 2) LIMIT 1) AS template,
      year.professional AS made JOIN year.clinic ON clinic.nr = made.clinic_nr WHERE clinic.nr > 2`,
    changes: { id: 'made.id', tenant_id: 'clinic.tenant_id' },
  });
}

/** Both measured clinics, of a year that may have been made before, each with a key of this run. */
export async function openClinics(bench: Bench): Promise<YearClinics> {
  const open = async (nr: number) => {
    const { rows } = await bench.service.sql.query<{
      tenantId: string;
      service: string;
      professionals: string[];
    }>(
      `SELECT tenant_id AS "tenantId", service_type_id AS service,
         (SELECT array_agg(id ORDER BY professional.nr) FROM year.professional WHERE clinic_nr = clinic.nr) AS professionals
       FROM year.clinic WHERE nr = $1`,
      [nr],
    );
    const [found] = rows;
    if (found === undefined) throw new Error(`the year has no clinic ${nr}`);
    const { key } = await bench.service.admin<{ key: string }>('key', 'create', '--tenant', found.tenantId);
    const { apiUrl } = await bench.service.running();
    const clinic = { ...found, key, nextSlot: slotsOf(found.professionals) };
    return bench.resources.adopt(createCaller(apiUrl, clinic, CONNECTIONS), (caller) => caller.close());
  };
  return { large: await open(1), ordinary: await open(2) };
}
