import type { Logger } from '../../adapters/logs/logger.ts';
import type { RecordingStorage } from '../../adapters/recordings/recording-storage.ts';
import { dropRemoval, takeDueRemovals, type StoredBytes } from '../../db/calls/recording-removals.ts';
import type { ClinicDatabase } from '../../db/connection/open-database.ts';

const BATCH = 50;
const TRY_AGAIN_AFTER_SECONDS = 600;

export interface RemovalDependencies {
  read: ClinicDatabase['read'];
  storage: RecordingStorage;
  logger: Logger;
}

/** Removes what no call has any more. What the storage does not remove now is logged by its id and tried again. */
export async function removeDueRecordings(dependencies: RemovalDependencies): Promise<void> {
  const wanted = { limit: BATCH, againAfterSeconds: TRY_AGAIN_AFTER_SECONDS };
  for (;;) {
    const due = await dependencies.read((em) => takeDueRemovals(em, wanted));
    for (const bytes of due) await removeBytes(bytes, dependencies);
    if (due.length < BATCH) return;
  }
}

/** Removes bytes whose removal is written down; whatever fails, that line stays, and with it the next try. */
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
