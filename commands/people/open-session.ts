import { SessionEntity } from '../../db/entities/session.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { Role } from '../../domain/people/roles.ts';
import { newToken, PORTAL_SESSION_MS, SESSION_LENGTH_MS } from '../../domain/people/session.ts';

export interface SessionOf {
  tenantId: string | null;
  personId: string | null;
  role: Role;
  /** The portal link it comes by, and the key that made that. */
  portalLinkId?: string | null;
  apiKeyId?: string | null;
}

/** Opens a session; its token is in the answer and nowhere else. */
export async function openSession(
  em: EntityManager,
  { portalLinkId = null, apiKeyId = null, ...session }: SessionOf,
  now: Date,
): Promise<string> {
  const { token, tokenHash } = newToken();
  await em.insert(SessionEntity, {
    ...session,
    tokenHash,
    portalLinkId,
    apiKeyId,
    formToken: newToken().token,
    createdAt: now,
    lastUsedAt: now,
    endsAt: new Date(now.getTime() + (portalLinkId === null ? SESSION_LENGTH_MS : PORTAL_SESSION_MS)),
  });
  return token;
}
