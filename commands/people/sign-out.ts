import { SessionEntity } from '../../db/entities/session.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { hashToken } from '../../domain/people/token.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';

/** Ends one session. */
export async function signOut(em: EntityManager, token: string): Promise<void> {
  await em.nativeDelete(SessionEntity, { tokenHash: hashToken(token) });
}

/** Ends every session of a person, on whatever device. */
export async function signOutEverywhere(
  em: EntityManager,
  { personId, tenantId }: { personId: string; tenantId: string | null },
  context: CommandContext,
): Promise<void> {
  const ended = await em.nativeDelete(SessionEntity, { personId });
  const audited = {
    action: 'person.signed_out_everywhere',
    tenantId,
    subjectId: personId,
    details: { ended },
  } as const;
  await recordAudit(em, audited, context);
}
