import { SESSION_IDLE_MS } from '../../domain/people/session.ts';
import { anyOf, changedRows, tables, type EntityManager } from '../connection/statements.ts';
import type { Identity } from '../../domain/people/identity.ts';
import type { PersonRole } from '../../domain/people/roles.ts';

/** A live session and its person. */
export type ListedSession = Awaited<ReturnType<typeof listLiveSessions>>[number];

/** Which sessions to list: those of one clinic, of one person, or of these people. */
export type WhoseSessions = { tenantId: string } | { personIds: readonly string[] };

/** Most recently used first. @param limit null: all */
export function listLiveSessions(
  em: EntityManager,
  whose: WhoseSessions,
  { now, limit }: { now: Date; limit: number | null },
) {
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  return tables(em)
    .selectFrom('session')
    .leftJoin('person', 'person.id', 'session.personId')
    .leftJoin('api_key', 'api_key.id', 'session.apiKeyId')
    .select(['session.id', 'personId', 'person.name as personName', 'session.role', 'browser', 'system'])
    .select(['lastAddress', 'session.createdAt', 'session.lastUsedAt', 'endsAt'])
    .where((session) =>
      'tenantId' in whose
        ? session('session.tenantId', '=', whose.tenantId)
        : session('personId', '=', anyOf(whose.personIds)),
    )
    .where('endsAt', '>', now)
    .where('session.lastUsedAt', '>=', idleSince)
    .where('blockedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where((session) => session.or([session('expiresAt', 'is', null), session('expiresAt', '>', now)]))
    .orderBy('session.lastUsedAt', 'desc')
    .orderBy('session.id')
    .limit(limit)
    .execute();
}

/** Where a person has access, and in which role. */
export interface Place {
  tenantId: string | null;
  role: PersonRole;
}

/**
 * Ends the sessions of a person with another role or clinic, on all devices. Without a place, ends all sessions.
 * Returns how many.
 */
export function endSessionsElsewhere(
  em: EntityManager,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
  place: Place | null,
) {
  return changedRows(em)`
    DELETE FROM session
    USING person
    WHERE person.issuer = ${issuer}
      AND person.subject = ${subject}
      AND session.person_id = person.id
      AND (session.role, session.tenant_id) IS DISTINCT FROM (${place?.role}::text, ${place?.tenantId}::uuid)
  `;
}
