import type { Pool } from 'pg';
import { copyRows, DELIVERY_OF_EVENT } from './copy-rows.ts';
import { told } from './load-in-bulk.ts';

/** Older than deliveries are kept, by default: docs/operations/retention.md */
const OVER = `now() - interval '400 days'`;
const MONTH_DAYS = 30;
/** The first month of the year, whose appointments are told of once more. */
const FIRST_MONTH = `(SELECT min(starts_at) + interval '${MONTH_DAYS} days' FROM calendar_entry)`;
/** Of each of its clinics. */
const OLD_EVENTS = `year.clinic JOIN webhook_event AS event ON event.tenant_id = clinic.tenant_id AND event.created_at < ${OVER}`;

const EVENTS = {
  table: 'webhook_event',
  from: `year.clinic
    JOIN calendar_entry AS entry ON entry.tenant_id = clinic.tenant_id AND entry.starts_at < ${FIRST_MONTH}
    JOIN webhook_event AS template ON template.appointment_id = clinic.template_id AND template.type = 'appointment.created'
    CROSS JOIN LATERAL (
      SELECT ${OVER} - interval '1 hour' * (1 + mod(abs(hashtext(entry.id::text)::bigint), ${24 * MONTH_DAYS})) AS created
    ) AS made`,
  changes: {
    id: `'evt_' || replace(uuidv7(created - now())::text, '-', '')`,
    tenant_id: 'entry.tenant_id',
    appointment_id: 'entry.id',
    created_at: 'created',
  },
};

const DELIVERIES = {
  table: 'webhook_delivery',
  from: `${OLD_EVENTS}
    JOIN webhook_delivery AS template
      ON template.appointment_id = clinic.template_id AND template.event_type = 'appointment.created'
    WHERE clinic.endpoint_id IS NOT NULL`,
  changes: {
    ...DELIVERY_OF_EVENT,
  },
};

const ATTEMPTS = {
  table: 'webhook_attempt',
  from: `${OLD_EVENTS}
    JOIN webhook_delivery AS delivery ON delivery.event_id = event.id
    JOIN webhook_attempt AS template ON template.delivery_id = (
      SELECT id FROM webhook_delivery
      WHERE appointment_id = clinic.template_id AND event_type = 'appointment.created'
      LIMIT 1
    )`,
  changes: {
    delivery_id: 'delivery.id',
    tenant_id: 'delivery.tenant_id',
    started_at: 'delivery.created_at',
    response_excerpt: `'ok'`,
  },
};

/** A month of events whose time has ended, with bodies, deliveries and attempts, unless one waits from before. How many they are. */
export async function makeDueMonth(sql: Pool): Promise<number> {
  const waiting = await countDue(sql);
  if (waiting > 0) return waiting;
  // Foreign keys are not looked up a million times: the rows agree by how they are made.
  await sql.query('SET session_replication_role = replica');
  for (const copies of [EVENTS, DELIVERIES, ATTEMPTS]) {
    await told(`${copies.table} of a month`, () => copyRows(sql, copies));
    await sql.query(`VACUUM (ANALYZE) ${copies.table}`);
  }
  await sql.query('RESET session_replication_role');
  return countDue(sql);
}

/** Events that may go. */
export async function countDue(sql: Pool): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM webhook_event WHERE created_at < ${OVER}`,
  );
  return rows[0]?.count ?? 0;
}
