import { uuidv7 } from 'uuidv7';
import { PortalLinkEntity } from '../../db/entities/portal-link.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { newToken } from '../../domain/people/token.ts';
import { PORTAL_LINK_MS } from '../../domain/people/session.ts';
import { requireTenant } from '../clinic/require-tenant.ts';
import type { CommandContext } from '../command-context.ts';
import { auditActor, recordAudit } from '../record-audit.ts';

export interface PortalLink {
  /** Opens the webhook pages of the clinic, once. */
  url: string;
  expiresAt: Date;
}

export interface NewPortalLink {
  tenantId: string;
  /** The key that asks, whose scopes the link carries and with which it ends; none for an operator. */
  apiKeyId?: string | null;
  dashboardUrl: string;
}

/** The link is in the answer and nowhere else. Errors: `not_found`. */
export async function createPortalLink(
  em: EntityManager,
  { tenantId, apiKeyId = null, dashboardUrl }: NewPortalLink,
  context: CommandContext,
): Promise<PortalLink> {
  await requireTenant(em, tenantId);
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
