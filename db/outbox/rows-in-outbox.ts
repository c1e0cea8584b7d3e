import { sql } from 'kysely';
import { type EntityManager } from '../connection/statements.ts';
import { firstRow, rowsOf } from '../connection/unchecked-statements.ts';
import { LIVING_LEASES } from './lease-rows.ts';

/** A row as an operator sees it: opaque ids and times. */
export interface OutboxRow {
  id: string;
  kind: string;
  /** The ids in the message, by name. */
  about: Record<string, string>;
  clinicId: string | null;
  failures: number;
  lastError: string | null;
  createdAtMs: number;
  /** When it is retried; null while a worker has it. */
  availableAtMs: number | null;
}

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
  message ->> 'clinicId' AS "clinicId",
  failures,
  last_error AS "lastError",
  (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs",
  CASE WHEN isfinite(available_at) THEN (extract(epoch FROM available_at) * 1000)::float8 END AS "availableAtMs"`;

/** The oldest rows first. @param wanted.failing only failed ones */
export function listOutboxRows(em: EntityManager, wanted: { failing: boolean; limit: number }) {
  return rowsOf<OutboxRow>(em)`
    SELECT ${SHOWN}
    FROM outbox
    WHERE failures > 0 OR NOT ${wanted.failing}
    ORDER BY outbox.id
    LIMIT ${wanted.limit}
  `;
}

/** Deletes a failed row that no worker has claimed; null when there is none. */
export function removeFailedRow(em: EntityManager, id: string) {
  return firstRow<OutboxRow>(em)`
    DELETE FROM outbox
    WHERE id = ${id}::bigint
      AND failures > 0
      AND (claimed_by IS NULL OR claimed_by NOT IN ${LIVING_LEASES})
    RETURNING ${SHOWN}
  `;
}
