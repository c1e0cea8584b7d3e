import { CallRecordingEntity, type CallRecordingRow } from '../entities/call-recording.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** The recording of a call as it is now; null when there is none. */
export function findRecordingOfCall(
  em: EntityManager,
  tenantId: string,
  callId: string,
): Promise<CallRecordingRow | null> {
  return em.findOne(CallRecordingEntity, { tenantId, callId });
}

/** For a link, which proves by its signature that it may name the recording; null when it was replaced or erased. */
export function findLinkedRecording(em: EntityManager, id: string): Promise<CallRecordingRow | null> {
  return em.findOne(CallRecordingEntity, { id });
}
