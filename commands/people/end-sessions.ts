import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { lockRow } from '../../db/connection/locks.ts';
import { PersonEntity } from '../../db/entities/people/person.entity.ts';
import { SessionEntity } from '../../db/entities/people/session.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { hashToken } from '../../domain/people/token.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { requireFound } from '../require-found.ts';
import { openGrant } from './sealed-grant.ts';

/** Sessions of one person, or of everyone in a clinic. */
export type SessionsOf = { personId: string } | { tenantId: string };

/** Ends one session at its next request; does nothing if it has ended or belongs to someone else. */
export async function endSession(
  em: EntityManager,
  { sessionId, of }: { sessionId: string; of: SessionsOf },
  context: CommandContext,
): Promise<void> {
  const session = await em.findOne(SessionEntity, { id: sessionId, ...of });
  if (!session) return;
  const { tenantId, personId, portalLinkId } = session;
  await em.nativeDelete(SessionEntity, { id: sessionId });
  const subjectId = personId ?? portalLinkId;
  await recordAudit(em, { action: 'session.ended', tenantId, subjectId, details: { ended: 1 } }, context);
}

/** Ends every session of a person. Returns how many. Errors: `not_found`. */
export async function endSessionsOf(em: EntityManager, personId: string, context: CommandContext) {
  const { tenantId } = requireFound(await lockRow(em, PersonEntity, { id: personId }), 'person', personId);
  const ended = await em.nativeDelete(SessionEntity, { personId });
  const audited = { action: 'session.ended', tenantId, subjectId: personId, details: { ended } } as const;
  await recordAudit(em, audited, context);
  return ended;
}

/** The ID token with which the identity provider recognises this session; null when there is none. */
export async function idTokenOf(em: EntityManager, cipher: SecretCipher, token: string) {
  const session = await em.findOne(SessionEntity, { tokenHash: hashToken(token) });
  return (session && openGrant(cipher, session, session.grantSealed)?.idToken) ?? null;
}

/** Ends the session of this token. */
export async function signOut(em: EntityManager, token: string): Promise<void> {
  await em.nativeDelete(SessionEntity, { tokenHash: hashToken(token) });
}

/** Ends every session of a person, on all devices. */
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

/**
 * Blocks a person, whatever the identity provider says, and ends their sessions; safe to repeat. Errors: `not_found`.
 */
export async function blockPerson(em: EntityManager, personId: string, context: CommandContext) {
  const person = requireFound(await lockRow(em, PersonEntity, { id: personId }), 'person', personId);
  const isNew = person.blockedAt === null;
  if (isNew) person.blockedAt = context.now;
  await em.flush();
  const ended = await em.nativeDelete(SessionEntity, { personId });
  const { tenantId } = person;
  const audited = { action: 'person.blocked', tenantId, subjectId: personId, details: { ended } } as const;
  if (isNew) await recordAudit(em, audited, context);
  return { person, ended };
}

/** Lets a person sign in again. Errors: `not_found`. */
export async function unblockPerson(em: EntityManager, personId: string, context: CommandContext) {
  const person = requireFound(await lockRow(em, PersonEntity, { id: personId }), 'person', personId);
  if (person.blockedAt === null) return person;
  person.blockedAt = null;
  await em.flush();
  const audited = { action: 'person.unblocked', tenantId: person.tenantId, subjectId: personId } as const;
  await recordAudit(em, audited, context);
  return person;
}
