import { uuidv7 } from 'uuidv7';
import { newRecordingSeal, ownedPieces } from '../../adapters/recordings/recording-seal.ts';
import type { RecordingStorage } from '../../adapters/recordings/recording-storage.ts';
import {
  findRecordingOfCall,
  dropRemoval,
  planRemoval,
  nextUnsealedRecording,
} from '../../db/calls/recordings.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { CallRecordingEntity, type CallRecordingRow } from '../../db/entities/call-recording.entity.ts';
import { holdCall } from './require-call.ts';

/** Longer than the largest takes; then its bytes go again, unless a call has them. */
const IS_OVER_AFTER_SECONDS = 7200;

export interface RecordingSealing {
  database: Pick<Database, 'em' | 'ciphers'>;
  storage: RecordingStorage;
  /** Told after each: how many have been sealed. */
  onSealed: (sealed: number) => void;
}

/**
 * Stores anew, sealed, the recordings that were stored as they are beside a version that reads no others, one after the other.
 * Each takes a new id, so that links to the old bytes end; nobody is told, because it is the same audio. It may be broken off
 * and begun again. Returns how many were sealed, and how many the storage has lost.
 */
export async function sealRecordings(sealing: RecordingSealing): Promise<{ sealed: number; lost: number }> {
  const counts = { sealed: 0, lost: 0 };
  for (let after: string | null = null; ;) {
    const old: CallRecordingRow | null = await nextUnsealedRecording(sealing.database.em(), after);
    if (!old) return counts;
    after = old.id;
    const audio = await sealing.storage.read(old, { first: 0, last: old.sizeBytes - 1 });
    if (audio === null) {
      counts.lost += 1;
      continue;
    }
    if (await sealOne(old, audio, sealing)) sealing.onSealed((counts.sealed += 1));
  }
}

/** False when the call has got another recording meanwhile, or none. */
async function sealOne(
  old: CallRecordingRow,
  audio: AsyncIterable<Uint8Array>,
  { database, storage }: RecordingSealing,
): Promise<boolean> {
  const { tenantId, callId } = old;
  const name = { id: uuidv7(), tenantId };
  const seal = await newRecordingSeal(database.ciphers, name, old.contentType);
  await planRemoval(database.em(), name, IS_OVER_AFTER_SECONDS);
  await storage.store(name, seal.contentType, seal.seal(ownedPieces(audio)));
  const isSealed = await database.em().transactional(async (em) => {
    await holdCall(em, tenantId, callId);
    const current = await findRecordingOfCall(em, tenantId, callId);
    if (current?.id !== old.id) return false;
    await em.remove(current).flush();
    await planRemoval(em, old, 0);
    await em.insert(CallRecordingEntity, { ...old, ...name, keySealed: seal.keySealed });
    await dropRemoval(em, name);
    return true;
  });
  const unused = isSealed ? old : name;
  await storage.remove(unused);
  await dropRemoval(database.em(), unused);
  return isSealed;
}
