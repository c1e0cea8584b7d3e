import { uuidv7 } from 'uuidv7';
import type { Device } from '../../adapters/identity/device-of.ts';
import type { ProviderGrant } from '../../adapters/identity/identity-provider.ts';
import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { SessionEntity } from '../../db/entities/people/session.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { Role } from '../../domain/people/roles.ts';
import { CONFIRM_EVERY_MS, PORTAL_SESSION_MS, SESSION_LENGTH_MS } from '../../domain/people/session.ts';
import { newToken } from '../../domain/people/token.ts';
import { sealGrant } from './sealed-grant.ts';

/** The device, address and time of a sign-in. */
export interface Visit extends Device {
  address: string;
  now: Date;
}

interface OfPerson {
  tenantId: string | null;
  personId: string;
  role: Role;
  /** The tokens with which the session is later confirmed at the identity provider. */
  grant: ProviderGrant;
}

interface OfPortalLink {
  tenantId: string;
  portalLinkId: string;
  /** The key that created the link. */
  apiKeyId: string | null;
}

/**
 * Opens a person's session. With a refresh token, the provider confirms the role from time to time; otherwise the role
 * is kept until the session ends. The session's token is only in the result.
 */
export async function openPersonSession(
  em: EntityManager,
  cipher: SecretCipher,
  { grant, ...session }: OfPerson,
  visit: Visit,
): Promise<string> {
  const { tokens, row } = newSession(visit, SESSION_LENGTH_MS);
  await em.insert(SessionEntity, {
    ...row,
    ...session,
    grantSealed: sealGrant(cipher, { id: row.id, tenantId: session.tenantId }, grant),
    confirmedAt: visit.now,
    checkDueAt: grant.kind === 'refresh' ? new Date(visit.now.getTime() + CONFIRM_EVERY_MS) : row.endsAt,
  });
  return tokens.token;
}

/** Opens the session of a portal link. */
export async function openPortalSession(em: EntityManager, session: OfPortalLink, visit: Visit) {
  const { tokens, row } = newSession(visit, PORTAL_SESSION_MS);
  await em.insert(SessionEntity, { ...row, ...session, role: 'portal' });
  return tokens.token;
}

function newSession({ browser, system, address, now }: Visit, lengthMs: number) {
  const tokens = newToken();
  const row = {
    id: uuidv7(),
    tokenHash: tokens.tokenHash,
    formToken: newToken().token,
    createdAt: now,
    lastUsedAt: now,
    endsAt: new Date(now.getTime() + lengthMs),
    browser,
    system,
    lastAddress: address,
  };
  return { tokens, row };
}
