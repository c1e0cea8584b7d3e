import { sql } from 'kysely';
import { SESSION_IDLE_MS } from '../../domain/people/session.ts';
import type { Role } from '../../domain/people/roles.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** A session that can be used now, and by whom. */
export interface ListedSession {
  id: string;
  personId: string | null;
  personName: string | null;
  role: Role;
  browser: string | null;
  system: string | null;
  /** From where it was used last. */
  lastAddress: string | null;
  createdAt: Date;
  lastUsedAt: Date;
  endsAt: Date;
}

/** Of one clinic, of one person, or of these. */
export type WhoseSessions = { tenantId: string } | { personIds: readonly string[] };

/** Those used last first. @param limit null: all */
export async function listLiveSessions(
  em: EntityManager,
  whose: WhoseSessions,
  { now, limit }: { now: Date; limit: number | null },
): Promise<ListedSession[]> {
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  const isWanted =
    'tenantId' in whose
      ? sql`session.tenant_id = ${whose.tenantId}`
      : sql`session.person_id = ANY(${[...whose.personIds]}::uuid[])`;
  const { rows } = await sql<ListedSession>`
    SELECT session.id, session.person_id AS "personId", person.name AS "personName", session.role,
      session.browser, session.system, session.last_address AS "lastAddress",
      session.created_at AS "createdAt", session.last_used_at AS "lastUsedAt", session.ends_at AS "endsAt"
    FROM session
    LEFT JOIN person ON person.id = session.person_id
    LEFT JOIN api_key ON api_key.id = session.api_key_id
    WHERE ${isWanted}
      AND session.ends_at > ${now}
      AND session.last_used_at >= ${idleSince}
      AND person.blocked_at IS NULL
      AND api_key.revoked_at IS NULL
      AND (api_key.expires_at IS NULL OR api_key.expires_at > ${now})
    ORDER BY session.last_used_at DESC, session.id
    LIMIT ${limit}::bigint
  `.execute(em.getKysely());
  return rows.map((row) => ({
    ...row,
    createdAt: new Date(row.createdAt),
    lastUsedAt: new Date(row.lastUsedAt),
    endsAt: new Date(row.endsAt),
  }));
}
