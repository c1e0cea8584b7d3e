import { sql } from 'kysely';
import { rowsOf, run, type EntityManager } from '../connection/statements.ts';
import type { CallRecordingRow } from '../entities/call-recording.entity.ts';

/** What names the bytes of a recording in the storage. */
export type StoredBytes = Pick<CallRecordingRow, 'id' | 'tenantId'>;

/** Writes down that these bytes are to be removed, after so many seconds of the database's clock. */
export function planRemoval(em: EntityManager, { id, tenantId }: StoredBytes, afterSeconds: number) {
  return run(em)`
    INSERT INTO recording_removal (recording_id, tenant_id, due_at)
    VALUES (${id}, ${tenantId}, now() + ${afterSeconds} * interval '1 second')
  `;
}

/** The bytes are gone, or a call has them now. */
export function dropRemoval(em: EntityManager, { id }: { id: string }) {
  return run(em)`DELETE FROM recording_removal WHERE recording_id = ${id}`;
}

/** Takes removals that are due, of all clinics unless told; one that is not dropped is due again after `againAfterSeconds`. */
export function takeDueRemovals(
  em: EntityManager,
  { limit, againAfterSeconds, tenantId }: { limit: number; againAfterSeconds: number; tenantId?: string },
) {
  return rowsOf<StoredBytes>(em)`
    UPDATE recording_removal
    SET due_at = now() + ${againAfterSeconds} * interval '1 second'
    WHERE recording_id IN (
      SELECT recording_id
      FROM recording_removal
      WHERE due_at <= now()
        AND ${tenantId === undefined ? sql`true` : sql`tenant_id = ${tenantId}`}
      ORDER BY due_at
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
    RETURNING recording_id AS id, tenant_id AS "tenantId"
  `;
}
