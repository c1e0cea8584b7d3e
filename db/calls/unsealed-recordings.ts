import { CallRecordingEntity, type CallRecordingRow } from '../entities/call-recording.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** The next recording whose bytes are stored as they are, in the order of ids; null after the last. */
export function nextUnsealedRecording(
  em: EntityManager,
  after: string | null,
): Promise<CallRecordingRow | null> {
  const later = after === null ? {} : { id: { $gt: after } };
  return em.findOne(CallRecordingEntity, { keySealed: null, ...later }, { orderBy: { id: 'asc' } });
}

export function countUnsealedRecordings(em: EntityManager): Promise<number> {
  return em.count(CallRecordingEntity, { keySealed: null });
}
