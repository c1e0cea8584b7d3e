import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { RetentionPosition } from '../../domain/retention.ts';
import { changedRows, onlyValue, rowsOf, valuesOf, type EntityManager } from '../connection/statements.ts';

/** Events with a stored body, or all. */
export type OldEvents = 'withBody' | 'all';

const WANTED: Record<OldEvents, RawBuilder<unknown>> = {
  withBody: sql`body IS NOT NULL`,
  all: sql`true`,
};

/** The next clinic, after the given one, that has an event of that age; null when there is none. */
export async function findClinicWithOldEvents(
  em: EntityManager,
  wanted: OldEvents,
  { olderThanDays, after }: { olderThanDays: number; after: string | null },
): Promise<string | null> {
  const [id = null] = await valuesOf(em, z.string())`
    SELECT tenant.id
    FROM tenant
    CROSS JOIN LATERAL (
      SELECT
      FROM webhook_event
      WHERE tenant_id = tenant.id
        AND ${WANTED[wanted]}
        AND ${isOlder(sql.ref('created_at'), olderThanDays)}
      ORDER BY created_at
      LIMIT 1
    ) oldest
    WHERE ${after === null ? sql`true` : sql`tenant.id > ${after}::uuid`}
    ORDER BY tenant.id
    LIMIT 1
  `;
  return id;
}

/** `createdAt` is text, to the microsecond. */
const OLD_EVENT = z.object({ createdAt: z.string(), id: z.string() });

/**
 * Locks the clinic's next events of that age (null: any), so that none is sent again until the transaction ends. Skips
 * events that are already locked.
 */
export function lockOldEvents(
  em: EntityManager,
  wanted: OldEvents,
  { clinicId, event }: RetentionPosition,
  { olderThanDays, limit }: { olderThanDays: number | null; limit: number },
) {
  const later = event ? sql`(created_at, id) > (${event.createdAt}::timestamptz, ${event.id})` : sql`true`;
  return rowsOf(em, OLD_EVENT)`
    SELECT created_at::text AS created_at, id
    FROM webhook_event
    WHERE tenant_id = ${clinicId}
      AND ${WANTED[wanted]}
      AND ${isOlder(sql.ref('created_at'), olderThanDays)}
      AND ${later}
    ORDER BY created_at, id
    LIMIT ${limit}
    FOR UPDATE SKIP LOCKED
  `;
}

interface HeldEvents {
  clinicId: string;
  ids: readonly string[];
  /** The age limit of the last delivery; null for any age. */
  olderThanDays: number | null;
}

/**
 * Deletes the bodies of locked events whose last delivery is old enough, and the receivers' responses, which may repeat
 * them. Returns how many.
 */
export function pruneBodies(em: EntityManager, held: HeldEvents) {
  return onlyValue(em, z.number())`
    WITH settled AS (${settledEvents(held)}), answer AS (
      UPDATE webhook_attempt
      SET response_excerpt = NULL
      WHERE response_excerpt <> ''
        AND delivery_id IN (SELECT id FROM webhook_delivery WHERE event_id IN (SELECT id FROM settled))
    ), body AS (
      UPDATE webhook_event SET body = NULL WHERE id IN (SELECT id FROM settled)
    )
    SELECT count(*)::integer AS pruned FROM settled
  `;
}

/** How long `patient.erased` names the patient, unless a delivery is still waiting. */
const ERASED_PATIENT_DAYS = 30;

/** Deletes the bodies of old `patient.erased` events. Returns how many. */
export function pruneErasedPatients(em: EntityManager, limit: number) {
  return changedRows(em)`
    UPDATE webhook_event SET body = NULL
    WHERE id IN (
      SELECT id
      FROM webhook_event
      WHERE type = 'patient.erased' AND body IS NOT NULL AND ${isOlder(sql.ref('created_at'), ERASED_PATIENT_DAYS)}
        AND NOT EXISTS (
          SELECT FROM webhook_delivery WHERE event_id = webhook_event.id AND status IN ('pending', 'retrying')
        )
      ORDER BY created_at
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
  `;
}

/**
 * Deletes locked events whose last delivery is old enough, with their deliveries and attempts. Returns how many events.
 */
export function deleteEvents(em: EntityManager, held: HeldEvents) {
  return onlyValue(em, z.number())`
    WITH settled AS (${settledEvents(held)}), attempt AS (
      DELETE FROM webhook_attempt
      WHERE delivery_id IN (SELECT id FROM webhook_delivery WHERE event_id IN (SELECT id FROM settled))
    ), delivery AS (
      DELETE FROM webhook_delivery WHERE event_id IN (SELECT id FROM settled)
    ), event AS (
      DELETE FROM webhook_event WHERE id IN (SELECT id FROM settled)
    )
    SELECT count(*)::integer AS pruned FROM settled
  `;
}

/**
 * The locked events that can be deleted. This is checked again after locking, because a delivery may have been added.
 */
function settledEvents({ clinicId, ids, olderThanDays }: HeldEvents): RawBuilder<unknown> {
  return sql`
    SELECT id
    FROM unnest(${[...ids]}::text[]) AS held (id)
    WHERE NOT EXISTS (
      SELECT
      FROM webhook_delivery
      WHERE tenant_id = ${clinicId}
        AND event_id = held.id
        AND (status IN ('pending', 'retrying') OR NOT ${isOlder(sql.ref('updated_at'), olderThanDays)})
    )
  `;
}

/** Whether an instant is more than that many days ago; null: always. */
export function isOlder(at: RawBuilder<unknown>, days: number | null): RawBuilder<unknown> {
  return days === null ? sql`true` : sql`${at} < now() - make_interval(days => ${days})`;
}
