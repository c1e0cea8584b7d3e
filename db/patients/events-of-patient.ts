import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

export interface StoredEvent {
  id: string;
  tenantId: string;
  /** As it is stored: encrypted when it shows a number. */
  body: string;
}

/** Every event that tells of the appointment, that of its move included, while its body is kept. */
export async function findEventsOfAppointment(
  em: EntityManager,
  tenantId: string,
  appointmentId: string,
): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    SELECT id, tenant_id AS "tenantId", body
    FROM webhook_event
    WHERE tenant_id = ${tenantId} AND appointment_id = ${appointmentId} AND body IS NOT NULL
    UNION
    SELECT id, tenant_id, body
    FROM webhook_event
    WHERE tenant_id = ${tenantId}
      AND body IS NOT NULL
      AND id IN (SELECT event_id FROM appointment_change WHERE appointment_id = ${appointmentId})
  `.execute(em.getKysely());
  return rows;
}

/** The clinic's events of one type whose body is kept, a page at a time in the order of creation. */
export async function pageOfEvents(
  em: EntityManager,
  { tenantId, type }: { tenantId: string; type: string },
  { after, limit }: { after: { createdAt: string; id: string } | null; limit: number },
): Promise<(StoredEvent & { createdAt: string })[]> {
  const later = after ? sql`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id})` : sql`true`;
  const { rows } = await sql<StoredEvent & { createdAt: string }>`
    SELECT id, tenant_id AS "tenantId", body, created_at::text AS "createdAt"
    FROM webhook_event
    WHERE tenant_id = ${tenantId}
      AND type = ${type}
      AND body IS NOT NULL
      AND ${later}
    ORDER BY created_at, id
    LIMIT ${limit}
  `.execute(em.getKysely());
  return rows;
}

/** Writes other bodies, and forgets what receivers answered to the old ones, in which they may repeat them. */
export async function replaceEventBodies(em: EntityManager, events: readonly StoredEvent[]): Promise<void> {
  const ids = events.map(({ id }) => id);
  await sql`
    UPDATE webhook_event event
    SET body = given.body
    FROM unnest(${ids}::text[], ${events.map(({ body }) => body)}::text[]) AS given (id, body)
    WHERE event.id = given.id
  `.execute(em.getKysely());
  await sql`
    UPDATE webhook_attempt
    SET response_excerpt = NULL
    WHERE response_excerpt IS NOT NULL
      AND delivery_id IN (SELECT id FROM webhook_delivery WHERE event_id = ANY(${ids}::text[]))
  `.execute(em.getKysely());
}
