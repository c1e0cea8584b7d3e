import { sql } from 'kysely';
import { cipherOf } from '../connection/cipher-of.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { bodyIfReadable, openBody, sealBody } from '../webhooks/events/sealed-body.ts';

/** An event with its body as it was sent. */
export interface EventOfPatient {
  id: string;
  tenantId: string;
  body: string;
}

type Stored = EventOfPatient & { createdAt: string };

/** Every event that tells of the appointment, that of its move included, while its body is kept. @throws SecretUnreadableError */
export async function findEventsOfAppointment(
  em: EntityManager,
  tenantId: string,
  appointmentId: string,
): Promise<EventOfPatient[]> {
  const { rows } = await sql<Stored>`
    SELECT id, tenant_id AS "tenantId", body, created_at AS "createdAt"
    FROM webhook_event
    WHERE tenant_id = ${tenantId} AND appointment_id = ${appointmentId} AND body IS NOT NULL
    UNION
    SELECT id, tenant_id, body, created_at
    FROM webhook_event
    WHERE tenant_id = ${tenantId}
      AND body IS NOT NULL
      AND id IN (SELECT event_id FROM appointment_change WHERE appointment_id = ${appointmentId})
  `.execute(em.getKysely());
  const cipher = await cipherOf(em, tenantId);
  return rows.map((row) => ({
    ...row,
    body: openBody(cipher, { ...row, createdAt: new Date(row.createdAt) }),
  }));
}

/** Where a page of events ended. */
export type EventPosition = Pick<Stored, 'createdAt' | 'id'>;

/**
 * The clinic's events of one type whose body is kept, a page at a time in the order of creation; `next`: null after the last.
 * One that no key opens shows nothing to anybody, and is left out.
 */
export async function pageOfEvents(
  em: EntityManager,
  { tenantId, type }: { tenantId: string; type: string },
  { after, limit }: { after: EventPosition | null; limit: number },
): Promise<{ events: EventOfPatient[]; next: EventPosition | null }> {
  const later = after ? sql`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id})` : sql`true`;
  const { rows } = await sql<Stored>`
    SELECT id, tenant_id AS "tenantId", body, created_at::text AS "createdAt"
    FROM webhook_event
    WHERE tenant_id = ${tenantId}
      AND type = ${type}
      AND body IS NOT NULL
      AND ${later}
    ORDER BY created_at, id
    LIMIT ${limit}
  `.execute(em.getKysely());
  const cipher = await cipherOf(em, tenantId);
  const events = rows.flatMap((row) => {
    const body = bodyIfReadable(cipher, { ...row, createdAt: new Date(row.createdAt) });
    return body === null ? [] : [{ ...row, body }];
  });
  return { events, next: rows.length < limit ? null : (rows.at(-1) ?? null) };
}

/** Writes other bodies of a clinic, and forgets what receivers answered to the old ones, in which they may repeat them. */
export async function replaceEventBodies(
  em: EntityManager,
  events: readonly EventOfPatient[],
): Promise<void> {
  const ids = events.map(({ id }) => id);
  const bodies: string[] = [];
  for (const event of events) bodies.push(sealBody(await cipherOf(em, event.tenantId), event, event.body));
  await sql`
    UPDATE webhook_event event
    SET body = given.body
    FROM unnest(${ids}::text[], ${bodies}::text[]) AS given (id, body)
    WHERE event.id = given.id
  `.execute(em.getKysely());
  await sql`
    UPDATE webhook_attempt
    SET response_excerpt = NULL
    WHERE response_excerpt IS NOT NULL
      AND delivery_id IN (SELECT id FROM webhook_delivery WHERE event_id = ANY(${ids}::text[]))
  `.execute(em.getKysely());
}
