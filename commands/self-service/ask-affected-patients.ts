import type { EntityManager } from '../../db/connection/open-database.ts';
import { askAffected, type AffectingBlock } from '../../db/self-service/affected-patients.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';

/**
 * Asks the patients whose appointments a block affects, and who left an address, for another time; each once for a
 * block. The worker sends the mails. Returns how many are asked.
 */
export async function askAffectedPatients(
  em: EntityManager,
  block: AffectingBlock,
  context: CommandContext,
): Promise<number> {
  const asked = await askAffected(em, block, context.now);
  const { id: subjectId, tenantId } = block;
  const audited = { action: 'busy_block.patients_asked', tenantId, subjectId, details: { asked } } as const;
  if (asked > 0) await recordAudit(em, audited, context);
  return asked;
}
