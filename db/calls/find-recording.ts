import { CallRecordingEntity } from '../entities/call-recording.entity.ts';
import { tables, type EntityManager } from '../connection/statements.ts';

/** The recording of a call as it is now; null when there is none. */
export function findRecordingOfCall(em: EntityManager, tenantId: string, callId: string) {
  return em.findOne(CallRecordingEntity, { tenantId, callId });
}

/** The recording with this id; null when it was replaced or erased. */
export function findRecording(em: EntityManager, tenantId: string, id: string) {
  return em.findOne(CallRecordingEntity, { tenantId, id });
}

/** For a link, which proves by its signature that it may name the recording. */
export async function findClinicOfRecording(em: EntityManager, id: string): Promise<string | null> {
  const recordings = tables(em).selectFrom('call_recording').where('id', '=', id);
  return (await recordings.select('tenantId').executeTakeFirst())?.tenantId ?? null;
}
