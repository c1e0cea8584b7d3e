import { sql } from 'kysely';
import { z } from 'zod';
import { firstRow, rowsOf, type EntityManager } from '../connection/statements.ts';
import { LIVING_LEASES } from './lease-rows.ts';

/** A row as an operator sees it: opaque ids and times. */
const OUTBOX_ROW = z.object({
  id: z.string(),
  kind: z.string(),
  /** The ids in the message, by name. */
  about: z.record(z.string(), z.string()),
  clinicId: z.string().nullable(),
  failures: z.number(),
  lastError: z.string().nullable(),
  createdAtMs: z.number(),
  /** When it is retried; null while a worker has it. */
  availableAtMs: z.number().nullable(),
});
export type OutboxRow = z.infer<typeof OUTBOX_ROW>;

/** Known id fields of messages; newer versions may have others. */
const IDS = ['appointmentId', 'endpointId', 'deliveryId', 'replayId', 'workflowId'];

const SHOWN = sql`
  id::text AS id,
  message ->> 'kind' AS kind,
  (
    SELECT coalesce(jsonb_object_agg(key, value), '{}')
    FROM jsonb_each_text(message)
    WHERE key = ANY(${IDS}::text[])
  ) AS about,
  message ->> 'clinicId' AS clinic_id,
  failures,
  last_error,
  (extract(epoch FROM created_at) * 1000)::float8 AS created_at_ms,
  CASE WHEN isfinite(available_at) THEN (extract(epoch FROM available_at) * 1000)::float8 END AS available_at_ms`;

/** The oldest rows first. @param wanted.failing only failed ones */
export function listOutboxRows(em: EntityManager, wanted: { failing: boolean; limit: number }) {
  return rowsOf(em, OUTBOX_ROW)`
    SELECT ${SHOWN}
    FROM outbox
    WHERE failures > 0 OR NOT ${wanted.failing}
    ORDER BY outbox.id
    LIMIT ${wanted.limit}
  `;
}

/** Deletes a failed row that no worker has claimed; null when there is none. */
export function removeFailedRow(em: EntityManager, id: string) {
  return firstRow(em, OUTBOX_ROW)`
    DELETE FROM outbox
    WHERE id = ${id}::bigint
      AND failures > 0
      AND (claimed_by IS NULL OR claimed_by NOT IN ${LIVING_LEASES})
    RETURNING ${SHOWN}
  `;
}
