import { isGood } from '../../domain/clinic/api-key.ts';
import type { Scope } from '../../domain/clinic/api-scopes.ts';
import { hashToken } from '../../domain/people/token.ts';
import { lockRow } from '../../db/connection/locks/lock-row.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import { PortalLinkEntity } from '../../db/entities/portal-link.entity.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { openPortalSession, type Visit } from './open-session.ts';

export interface OpenedPortal {
  /** Of the session. */
  token: string;
  /** Of the key that made the link; null: no key did. */
  scopes: readonly Scope[] | null;
}

/** Turns a link into a session of the clinic's webhook pages; null when it or its key has ended, or it was used or never was. */
export async function openPortalLink(
  em: EntityManager,
  { token, visit }: { token: string; visit: Omit<Visit, 'now'> },
  context: Omit<CommandContext, 'actor'>,
): Promise<OpenedPortal | null> {
  const { now } = context;
  const tokenHash = hashToken(token);
  const link = await lockRow(em, PortalLinkEntity, { tokenHash });
  if (!link || link.usedAt !== null || link.expiresAt <= now) return null;
  const { id: subjectId, tenantId, apiKeyId, createdBy } = link;
  const key = apiKeyId === null ? null : await em.findOneOrFail(ApiKeyEntity, { tenantId, id: apiKeyId });
  if (key && !isGood(key, now)) return null;
  await em.nativeUpdate(PortalLinkEntity, { tokenHash }, { usedAt: now });
  const audited = { action: 'portal_link.opened', tenantId, subjectId } as const;
  await recordAudit(em, audited, { ...context, actor: `portal:${subjectId}`, linkMadeBy: createdBy });
  const session = { tenantId, portalLinkId: subjectId, apiKeyId };
  return { token: await openPortalSession(em, session, { ...visit, now }), scopes: key?.scopes ?? null };
}
