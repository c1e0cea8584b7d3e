import { sql } from 'kysely';
import { CallRecordingEntity, type CallRecordingRow } from '../entities/call-recording.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** The recording of a call as it is now; null when there is none. */
export async function findRecordingOfCall(
  em: EntityManager,
  tenantId: string,
  callId: string,
): Promise<CallRecordingRow | null> {
  const { rows } = await sql<Record<string, unknown>>`
    SELECT * FROM call_recording WHERE tenant_id = ${tenantId} AND call_id = ${callId}
  `.execute(em.getKysely());
  return rows[0] ? { ...em.map(CallRecordingEntity, rows[0]) } : null;
}

/** For a link, which proves by its signature that it may name the recording; null when it was replaced or erased. */
export async function findLinkedRecording(
  em: EntityManager,
  recordingId: string,
): Promise<CallRecordingRow | null> {
  const { rows } = await sql<Record<string, unknown>>`
    SELECT * FROM call_recording WHERE id = ${recordingId}
  `.execute(em.getKysely());
  return rows[0] ? { ...em.map(CallRecordingEntity, rows[0]) } : null;
}

/** Gives a locked call, which has no recording now, this one. */
export async function insertRecording(em: EntityManager, recording: CallRecordingRow): Promise<void> {
  await sql`
    INSERT INTO call_recording (id, tenant_id, call_id, content_type, size_bytes, sha256, uploaded_at)
    VALUES (
      ${recording.id}, ${recording.tenantId}, ${recording.callId}, ${recording.contentType}, ${recording.sizeBytes},
      ${recording.sha256}, ${recording.uploadedAt}
    )
  `.execute(em.getKysely());
}

/** Forgets the recording of a locked call; its links end with the commit. */
export async function deleteRecording(em: EntityManager, recording: CallRecordingRow): Promise<void> {
  await sql`
    DELETE FROM call_recording WHERE tenant_id = ${recording.tenantId} AND id = ${recording.id}
  `.execute(em.getKysely());
}
