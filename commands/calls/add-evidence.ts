import type { EntityManager } from '../../db/connection/open-database.ts';
import { sealRow } from '../../db/encryption/field-seal.ts';
import type { CallRecordingRow } from '../../db/entities/calls/call-recording.entity.ts';
import type { CallRow } from '../../db/entities/calls/call.entity.ts';
import type { CallEvidence } from '../../domain/calls/call-evidence.ts';
import type { CommandContext } from '../command-context.ts';
import { eraseRecording } from './remove-recordings.ts';

type Evidence = Pick<CallRow, 'id' | 'tenantId'> & Partial<Pick<CallRow, keyof CallEvidence>>;

/**
 * Stores evidence of a locked call, with other changes. If the caller refuses to be recorded, the recording is erased and
 * returned, so that its bytes can be deleted after the commit.
 */
export async function addEvidence(
  em: EntityManager,
  call: CallRow,
  { added, changes }: { added: Partial<CallEvidence>; changes: Partial<CallRow> },
  context: CommandContext,
): Promise<CallRecordingRow | null> {
  const { id, tenantId } = call;
  const evidence = await sealRow<Evidence>(em, 'call', { id, tenantId, ...added });
  em.assign(call, { ...evidence, ...changes });
  await em.flush();
  return added.recordingConsent === 'refused' ? eraseRecording(em, tenantId, id, context) : null;
}
