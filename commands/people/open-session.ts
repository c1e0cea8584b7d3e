import { SessionEntity } from '../../db/entities/session.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { Role } from '../../domain/people/roles.ts';
import { newToken, SESSION_LENGTH_MS } from '../../domain/people/session.ts';

export interface SessionOf {
  tenantId: string | null;
  personId: string | null;
  role: Role;
}

/** Opens a session; its token is in the answer and nowhere else. */
export async function openSession(em: EntityManager, session: SessionOf, now: Date): Promise<string> {
  const { token, tokenHash } = newToken();
  await em.insert(SessionEntity, {
    ...session,
    tokenHash,
    portalLinkId: null,
    apiKeyId: null,
    formToken: newToken().token,
    createdAt: now,
    lastUsedAt: now,
    endsAt: new Date(now.getTime() + SESSION_LENGTH_MS),
  });
  return token;
}
