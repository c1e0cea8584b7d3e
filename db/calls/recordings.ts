import { sql } from 'kysely';
import { z } from 'zod';
import type { LinkMaker } from '../../domain/calls/recording-link.ts';
import { CallRecordingEntity } from '../entities/calls/call-recording.entity.ts';
import { columnsOf } from '../connection/columns.ts';
import { onlyValue, rowsOf, run, tables, type EntityManager } from '../connection/statements.ts';
import { isSessionValid } from '../people/use-session.ts';

/** The current recording of a call; null when there is none. */
export function findRecordingOfCall(em: EntityManager, tenantId: string, callId: string) {
  return em.findOne(CallRecordingEntity, { tenantId, callId });
}

/** The recording with this id; null when it was replaced or erased. */
export function findRecording(em: EntityManager, tenantId: string, id: string) {
  return em.findOne(CallRecordingEntity, { tenantId, id });
}

/** The clinic of a recording, for a link whose signature was checked. */
export async function findClinicOfRecording(em: EntityManager, id: string): Promise<string | null> {
  const recordings = tables(em).selectFrom('call_recording').where('id', '=', id);
  return (await recordings.select('tenantId').executeTakeFirst())?.tenantId ?? null;
}

/** Whether the key or session that created a link is still valid, and its clinic is not cancelled. */
export function isLinkMakerValid(
  em: EntityManager,
  { kind, id, tenantId, now }: LinkMaker & { tenantId: string; now: Date },
): Promise<boolean> {
  if (kind === 'session') return isSessionValid(em, { sessionId: id, tenantId, now });
  return onlyValue(em, z.boolean())`
    SELECT EXISTS (
      SELECT
      FROM api_key
      JOIN tenant ON tenant.id = api_key.tenant_id
      WHERE api_key.tenant_id = ${tenantId}
        AND api_key.id = ${id}
        AND api_key.revoked_at IS NULL
        AND (api_key.expires_at IS NULL OR api_key.expires_at > ${now})
        AND tenant.status <> 'canceled'
    )
  `;
}

/** Identifies the bytes of a recording in storage. */
const STORED_BYTES = columnsOf('call_recording', 'id', 'tenantId');
export type StoredBytes = z.infer<typeof STORED_BYTES>;

/** Plans the deletion of these bytes after some seconds, by the database's clock. */
export function planRemoval(em: EntityManager, { id, tenantId }: StoredBytes, afterSeconds: number) {
  return run(em)`
    INSERT INTO recording_removal (recording_id, tenant_id, due_at)
    VALUES (${id}, ${tenantId}, now() + ${afterSeconds} * interval '1 second')
  `;
}

/** Cancels the planned deletion, because the bytes are deleted or now belong to a call. */
export function dropRemoval(em: EntityManager, { id }: { id: string }) {
  return run(em)`DELETE FROM recording_removal WHERE recording_id = ${id}`;
}

/**
 * Claims deletions that are due, by default of all clinics. A deletion that is not cancelled is due again after
 * `againAfterSeconds`.
 */
export function takeDueRemovals(
  em: EntityManager,
  { limit, againAfterSeconds, tenantId }: { limit: number; againAfterSeconds: number; tenantId?: string },
) {
  return rowsOf(em, STORED_BYTES)`
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
    RETURNING recording_id AS id, tenant_id
  `;
}
