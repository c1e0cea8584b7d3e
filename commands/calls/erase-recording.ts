import { findRecordingOfCall } from '../../db/calls/find-recording.ts';
import { planRemoval } from '../../db/calls/recording-removals.ts';
import type { CallRecordingRow } from '../../db/entities/call-recording.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { holdCall } from './require-call.ts';

/**
 * Forgets a call's recording and plans that its bytes go; its links end with the commit. Returns what was erased, so that
 * its bytes can go at once, or null when the call had none. Errors: `not_found`.
 */
export async function eraseRecording(
  em: EntityManager,
  tenantId: string,
  callId: string,
  context: CommandContext,
): Promise<CallRecordingRow | null> {
  await holdCall(em, tenantId, callId);
  const recording = await findRecordingOfCall(em, tenantId, callId);
  if (!recording) return null;
  await em.remove(recording).flush();
  await planRemoval(em, recording, 0);
  const details = { recordingId: recording.id };
  await recordAudit(em, { action: 'recording.erased', tenantId, subjectId: callId, details }, context);
  return recording;
}
