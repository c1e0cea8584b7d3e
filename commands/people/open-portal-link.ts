import { PortalLinkEntity } from '../../db/entities/portal-link.entity.ts';
import { lockRow } from '../../db/connection/lock-row.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { hashToken } from '../../domain/people/session.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { openSession } from './open-session.ts';

/** Turns a link into a session of the clinic's webhook pages; null when it was used, has ended or never was. */
export async function openPortalLink(
  em: EntityManager,
  token: string,
  context: CommandContext,
): Promise<string | null> {
  const tokenHash = hashToken(token);
  const link = await lockRow(em, PortalLinkEntity, { tokenHash });
  if (!link || link.usedAt !== null || link.expiresAt <= context.now) return null;
  await em.nativeUpdate(PortalLinkEntity, { tokenHash }, { usedAt: context.now });
  const { tenantId, createdBy } = link;
  const audited = {
    action: 'portal_link.opened',
    tenantId,
    subjectId: null,
    details: { createdBy },
  } as const;
  await recordAudit(em, audited, context);
  return openSession(em, { tenantId, personId: null, role: 'portal' }, context.now);
}
