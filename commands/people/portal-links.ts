import { uuidv7 } from 'uuidv7';
import { PortalLinkEntity } from '../../db/entities/portal-link.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { hashToken, newToken } from '../../domain/people/token.ts';
import { PORTAL_LINK_MS } from '../../domain/people/session.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { requireTenant } from '../clinic/lock-tenant.ts';
import { auditActor, recordAudit, type CommandContext } from '../command-context.ts';
import { isKeyValid } from '../../domain/clinic/api-key.ts';
import { lockRow } from '../../db/connection/locks.ts';
import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import { openPortalSession, type Visit } from './open-session.ts';

export interface NewPortalLink {
  tenantId: string;
  /** The key that creates the link. The link has the scopes of this key and expires with it. None for an operator. */
  apiKeyId?: string | null;
  dashboardUrl: string;
}

/**
 * Creates a one-time link to the clinic's webhook pages; it is only in the result. Errors: `not_found`,
 * `clinic_inactive`.
 */
export async function createPortalLink(
  em: EntityManager,
  { tenantId, apiKeyId = null, dashboardUrl }: NewPortalLink,
  context: CommandContext,
) {
  if (await isCanceled(em, tenantId)) {
    throw new ServiceError(
      'clinic_inactive',
      'The clinic’s subscription is cancelled, so portal links do not work.',
    );
  }
  const { token, tokenHash } = newToken();
  const { now: createdAt } = context;
  const expiresAt = new Date(createdAt.getTime() + PORTAL_LINK_MS);
  const createdBy = auditActor(context);
  const id = uuidv7();
  const link = { id, tokenHash, tenantId, apiKeyId, createdBy, createdAt, expiresAt, usedAt: null };
  await em.insert(PortalLinkEntity, link);
  await recordAudit(em, { action: 'portal_link.created', tenantId, subjectId: id }, context);
  return { url: `${dashboardUrl}/portal/${token}`, expiresAt };
}

/**
 * Exchanges a link for a session of the clinic's webhook pages; null when the link is unknown, used or expired, when
 * its key is no longer valid, or when its clinic is cancelled. @returns the session's token, and the scopes of the key
 * that created the link; null scopes for an operator's link
 */
export async function openPortalLink(
  em: EntityManager,
  { token, visit }: { token: string; visit: Omit<Visit, 'now'> },
  context: Omit<CommandContext, 'actor'>,
) {
  const { now } = context;
  const tokenHash = hashToken(token);
  const link = await lockRow(em, PortalLinkEntity, { tokenHash });
  if (!link || link.usedAt !== null || link.expiresAt <= now) return null;
  const { id: subjectId, tenantId, apiKeyId, createdBy } = link;
  const key = apiKeyId === null ? null : await em.findOneOrFail(ApiKeyEntity, { tenantId, id: apiKeyId });
  if ((key && !isKeyValid(key, now)) || (await isCanceled(em, tenantId))) return null;
  await em.nativeUpdate(PortalLinkEntity, { tokenHash }, { usedAt: now });
  const audited = { action: 'portal_link.opened', tenantId, subjectId } as const;
  await recordAudit(em, audited, { ...context, actor: `portal:${subjectId}`, linkMadeBy: createdBy });
  const session = { tenantId, portalLinkId: subjectId, apiKeyId };
  return { token: await openPortalSession(em, session, { ...visit, now }), scopes: key?.scopes ?? null };
}

async function isCanceled(em: EntityManager, tenantId: string): Promise<boolean> {
  return (await requireTenant(em, tenantId)).status === 'canceled';
}
