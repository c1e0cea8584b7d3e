import type { Pool } from 'pg';
import type { Bench } from '../scenario.ts';
import { signalPart } from '../service/processes.ts';
import { copyRows, DELIVERY_OF_EVENT } from './copy-rows.ts';
import { loadInBulk, told } from './load-in-bulk.ts';
import { makeClinics } from './year-clinics.ts';
import { makeNames, nameOf } from './year-names.ts';

/** From so many days ago until so many days ahead, such that one appointment in ten is still to be kept. */
const DAYS = { past: 328, ahead: 37 };
/** By default; docs/operations/retention.md */
const BODIES_DAYS = 90;
const TABLES = [
  'calendar_entry',
  'appointment_change',
  'webhook_event',
  'webhook_delivery',
  'webhook_attempt',
  'call',
];

const EVENT_OF = `'evt_' || replace(entry.id::text, '-', '')`;

/** Makes a year of so many clinics, about ten thousand appointments each, unless it is there from before. */
export async function makeYear(bench: Bench, clinics: number): Promise<void> {
  const { sql } = bench.service;
  const { rows } = await sql.query<{ made: boolean }>(`SELECT to_regclass('year.made') IS NOT NULL AS made`);
  if (rows[0]?.made === true) return;
  await makeClinics(bench, clinics);
  await told('names', () => makeNames(bench.service));
  // It looks for what is overdue while the indexes for that are away.
  await signalPart(bench.service, 'worker', 'SIGSTOP');
  try {
    await loadInBulk(sql, TABLES, () => fillYear(sql));
  } finally {
    await signalPart(bench.service, 'worker', 'SIGCONT');
  }
  await sql.query('DROP TABLE year.name');
  await sql.query('ALTER TABLE year.organisation RENAME TO made');
}

async function fillYear(sql: Pool): Promise<void> {
  await told('appointments', () => copyRows(sql, { ...APPOINTMENTS, table: 'calendar_entry' }));
  await sql.query('ANALYZE calendar_entry');
  await told('changes', () => copyRows(sql, { ...CHANGES, table: 'appointment_change' }));
  await told('events', () => copyRows(sql, { ...EVENTS, table: 'webhook_event' }));
  await sql.query('ANALYZE webhook_event');
  await told('deliveries', () => copyRows(sql, { ...DELIVERIES, table: 'webhook_delivery' }));
  await sql.query('ANALYZE webhook_delivery');
  await told('attempts', () => copyRows(sql, { ...ATTEMPTS, table: 'webhook_attempt' }));
  await told('calls', () => copyRows(sql, { ...CALLS, table: 'call' }));
}

/** Booked one to sixty days ahead; in a past year 85 of 100 came, 10 cancelled, 5 did not come. */
const APPOINTMENTS = {
  from: `generate_series(-${DAYS.past}, ${DAYS.ahead}) AS day
    CROSS JOIN year.professional
    CROSS JOIN LATERAL generate_series(0, professional.appointments_a_day - 1) AS place
    JOIN year.clinic ON clinic.nr = professional.clinic_nr
    JOIN calendar_entry AS template ON template.id = clinic.template_id
    CROSS JOIN LATERAL (
      SELECT date_trunc('day', now()) + day * interval '1 day' + (8 + place) * interval '1 hour' AS start,
        (hashint4extended(day * 8 + place, clinic.nr * 64 + professional.nr) & 1073741823)::integer AS chance
    ) AS at
    CROSS JOIN LATERAL (
      SELECT chance % CASE WHEN is_large THEN 20000 ELSE 2000 END AS patient,
        least(start - interval '1 day' * (1 + chance % 60), now() - interval '1 hour' * (1 + chance % 200)) AS booked,
        CASE
          WHEN start > now() - interval '1 hour' THEN 'confirmed'
          WHEN chance % 100 < 85 THEN 'attended'
          WHEN chance % 100 < 95 THEN 'cancelled'
          ELSE 'no_show'
        END AS status
    ) AS made
    JOIN year.name ON ${nameOf('made.patient')}`,
  changes: {
    id: `uuidv7(booked - now())`,
    tenant_id: 'clinic.tenant_id',
    professional_id: 'professional.id',
    service_type_id: 'clinic.service_type_id',
    patient_name: 'name.name',
    name_hash: 'name.hash',
    name_tokens: 'name.tokens',
    patient_phone_hash: `md5(clinic.nr || ':' || patient) || md5(patient::text)`,
    patient_external_id: `'patient-' || patient`,
    external_id: `'pms-' || day + ${DAYS.past} || '-' || professional.nr || '-' || place`,
    starts_at: 'start',
    ends_at: `start + interval '30 minutes'`,
    block_from: 'start',
    block_until: `start + interval '30 minutes'`,
    status: 'made.status',
    blocks: `made.status IN ('confirmed', 'attended')`,
    cancellation_reason: `CASE made.status WHEN 'cancelled' THEN 'patient_requested' END`,
    checked_in_at: `CASE made.status WHEN 'attended' THEN start END`,
    version: `CASE made.status WHEN 'confirmed' THEN 1 ELSE 2 END`,
    created_at: 'booked',
    updated_at: `CASE made.status WHEN 'confirmed' THEN booked ELSE least(start, now()) END`,
  },
};

/** Rows of the year, each with its clinic and what its own rows are copied from. */
const ENTRIES = `year.clinic
  JOIN calendar_entry AS entry ON entry.tenant_id = clinic.tenant_id AND entry.id <> clinic.template_id`;

/** One of each appointment: how it began. */
const CHANGES = {
  from: `${ENTRIES}
    JOIN appointment_change AS template ON template.appointment_id = clinic.template_id AND template.kind = 'created'`,
  changes: {
    tenant_id: 'entry.tenant_id',
    appointment_id: 'entry.id',
    at: 'entry.created_at',
    event_id: EVENT_OF,
  },
};

const OF_TEMPLATE = `template.appointment_id = clinic.template_id AND template.type = 'appointment.created'`;
const EVENTS = {
  from: `${ENTRIES} JOIN webhook_event AS template ON ${OF_TEMPLATE}`,
  changes: {
    id: EVENT_OF,
    tenant_id: 'entry.tenant_id',
    appointment_id: 'entry.id',
    created_at: 'entry.created_at',
    body: `CASE WHEN entry.created_at > now() - interval '${BODIES_DAYS} days' THEN template.body END`,
  },
};

/** Of clinics with an endpoint; one in a thousand was skipped, as many failed for good. */
const DELIVERIES = {
  from: `${ENTRIES}
    JOIN webhook_event AS event ON event.id = ${EVENT_OF}
    JOIN webhook_delivery AS template
      ON template.appointment_id = clinic.template_id AND template.event_type = 'appointment.created'
    WHERE clinic.endpoint_id IS NOT NULL`,
  changes: {
    ...DELIVERY_OF_EVENT,
    workflow_id: `'delivery:' || event.id || ':' || clinic.endpoint_id`,
    status: `CASE hashtext(event.id) % 1000 WHEN 0 THEN 'skipped' WHEN 1 THEN 'failed' ELSE 'succeeded' END`,
    last_error_class: `CASE hashtext(event.id) % 1000 WHEN 1 THEN 'http_5xx' END`,
  },
};

const ATTEMPTS = {
  from: `year.clinic
    JOIN webhook_delivery AS delivery ON delivery.endpoint_id = clinic.endpoint_id AND delivery.appointment_id <> clinic.template_id
    JOIN webhook_attempt AS template ON template.delivery_id = (
      SELECT id FROM webhook_delivery
      WHERE appointment_id = clinic.template_id AND event_type = 'appointment.created'
      LIMIT 1
    )`,
  changes: {
    delivery_id: 'delivery.id',
    tenant_id: 'delivery.tenant_id',
    started_at: 'delivery.created_at',
    response_excerpt: `CASE WHEN delivery.created_at > now() - interval '30 days' THEN 'ok' END`,
  },
};

/** A thousand of each clinic that has none. */
const CALLS = {
  from: `year.clinic
    CROSS JOIN generate_series(1, 1000) AS turn
    CROSS JOIN (
      SELECT * FROM call WHERE tenant_id = (SELECT tenant_id FROM year.clinic WHERE nr = 2) LIMIT 1
    ) AS template
    WHERE clinic.nr > 2`,
  changes: {
    id: `uuidv7(-turn * interval '8 hours')`,
    tenant_id: 'clinic.tenant_id',
    from_number_hash: 'md5(turn::text)',
    started_at: `now() - turn * interval '8 hours'`,
    ended_at: `now() - turn * interval '8 hours' + interval '2 minutes'`,
  },
};
