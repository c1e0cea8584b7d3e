import { findRecordingOfCall } from '../../db/calls/find-recording.ts';
import { dropRemoval, planRemoval } from '../../db/calls/recording-removals.ts';
import { CallRecordingEntity, type CallRecordingRow } from '../../db/entities/call-recording.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { recordingLinkExpiry } from '../../domain/calls/recording-link.ts';
import { recordedDifferently } from './already-recorded.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { recordEventOf } from '../webhooks/record-event.ts';
import { holdCall } from './require-call.ts';
import type { Recorded } from './start-call.ts';

/** A recording whose bytes are in the storage. */
export type UploadedRecording = Omit<CallRecordingRow, 'uploadedAt'>;

export interface StoredRecording extends Recorded<CallRecordingRow> {
  /** The recording that this one took the place of: its bytes can go after the commit. */
  replaced: CallRecordingRow | null;
}

/**
 * Gives a call the recording whose bytes are in the storage already, with `call.recording_ready`. With `mayReplace` it
 * takes the place of another one, whose links end.
 * Errors: `not_found`, `external_id_conflict` (the call has another recording).
 */
export async function storeRecording(
  em: EntityManager,
  uploaded: UploadedRecording,
  mayReplace: boolean,
  context: CommandContext,
): Promise<StoredRecording> {
  const { tenantId, callId } = uploaded;
  const locked = await holdCall(em, tenantId, callId);
  const recording = { ...uploaded, uploadedAt: locked.now };
  const current = await findRecordingOfCall(em, tenantId, callId);
  if (current && isSameAudio(current, recording)) return { recorded: current, isNew: false, replaced: null };
  if (current && !mayReplace) throw hasAnotherRecording();
  if (current) await replace(em, current, recording.id, context);
  await em.insert(CallRecordingEntity, recording);
  await dropRemoval(em, recording);
  const recordingExpiresAt = recordingLinkExpiry(recording.uploadedAt).toISOString();
  const data = { call: { id: callId, recordingExpiresAt } };
  await recordEventOf(em, locked, { tenantId, type: 'call.recording_ready', data }, context);
  return { recorded: recording, isNew: true, replaced: current };
}

async function replace(
  em: EntityManager,
  current: CallRecordingRow,
  by: string,
  context: CommandContext,
): Promise<void> {
  await em.remove(current).flush();
  await planRemoval(em, current, 0);
  const { tenantId, callId: subjectId } = current;
  const details = { recordingId: current.id, by };
  await recordAudit(em, { action: 'recording.replaced', tenantId, subjectId, details }, context);
}

export function isSameAudio(
  one: Pick<CallRecordingRow, 'sha256' | 'contentType'>,
  other: Pick<CallRecordingRow, 'sha256' | 'contentType'>,
): boolean {
  return Buffer.compare(one.sha256, other.sha256) === 0 && one.contentType === other.contentType;
}

export function hasAnotherRecording() {
  return recordedDifferently('The recording of this call', ['body']);
}
