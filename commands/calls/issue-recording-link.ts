import { findRecordingOfCall } from '../../db/calls/recordings.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { LinkMaker, RecordingLink, RecordingLinks } from '../../domain/calls/recording-link.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';

/**
 * Creates a link to the call's recording for one day, while `maker` is valid, and records who asked for it. Null
 * without a recording.
 */
export async function issueRecordingLink(
  em: EntityManager,
  { tenantId, callId, maker }: { tenantId: string; callId: string; maker: LinkMaker },
  links: RecordingLinks,
  context: CommandContext,
): Promise<RecordingLink | null> {
  const recording = await findRecordingOfCall(em, tenantId, callId);
  if (!recording) return null;
  const link = links.linkTo(recording.id, maker, context.now);
  const details = { recordingId: recording.id, expiresAt: link.expiresAt };
  await recordAudit(em, { action: 'recording.link_issued', tenantId, subjectId: callId, details }, context);
  return link;
}
