import {
  dropRemoval,
  findRecordingOfCall,
  planRemoval,
  takeDueRemovals,
  type StoredBytes,
} from '../../db/calls/recordings.ts';
import type { CallRecordingRow } from '../../db/entities/calls/call-recording.entity.ts';
import type { ClinicDatabase, EntityManager } from '../../db/connection/open-database.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { requireLockedCall } from './require-call.ts';
import type { Logger } from '../../adapters/logs/logger.ts';
import type { RecordingStorage } from '../../adapters/recordings/recording-storage.ts';

/**
 * Deletes a call's recording and plans the deletion of its bytes. Links to the recording stop working with the commit.
 * Returns the recording, so that the caller can delete its bytes immediately, or null when there was none. Errors:
 * `not_found`.
 */
export async function eraseRecording(
  em: EntityManager,
  tenantId: string,
  callId: string,
  context: CommandContext,
): Promise<CallRecordingRow | null> {
  await requireLockedCall(em, tenantId, callId);
  const recording = await findRecordingOfCall(em, tenantId, callId);
  if (!recording) return null;
  await em.remove(recording).flush();
  await planRemoval(em, recording, 0);
  const details = { recordingId: recording.id };
  await recordAudit(em, { action: 'recording.erased', tenantId, subjectId: callId, details }, context);
  return recording;
}

const BATCH = 50;
const TRY_AGAIN_AFTER_SECONDS = 600;

export interface RemovalDependencies {
  read: ClinicDatabase['read'];
  storage: RecordingStorage;
  logger: Logger;
}

/**
 * Deletes bytes of recordings that no call uses any longer. Failures are logged with the recording's ID and retried.
 */
export async function removeDueRecordings(dependencies: RemovalDependencies): Promise<void> {
  const wanted = { limit: BATCH, againAfterSeconds: TRY_AGAIN_AFTER_SECONDS };
  for (;;) {
    const due = await dependencies.read((em) => takeDueRemovals(em, wanted));
    for (const bytes of due) await removeBytes(bytes, dependencies);
    if (due.length < BATCH) return;
  }
}

/** Deletes bytes whose deletion is planned. After a failure the plan remains, and is retried. */
export async function removeBytes(
  { id, tenantId }: StoredBytes,
  { read, storage, logger }: RemovalDependencies,
): Promise<void> {
  try {
    await storage.remove({ id, tenantId });
    await read((em) => dropRemoval(em, { id }));
  } catch (error) {
    logger.error({ recordingId: id, tenantId, err: error }, 'recording.bytes_left');
  }
}
