import { SESSION_IDLE_MS } from '../../domain/people/session.ts';
import type { Role } from '../../domain/people/roles.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { prepared } from '../connection/prepared.ts';

/** Who is signed in, and where. */
export interface LiveSession {
  tenantId: string | null;
  clinicName: string | null;
  clinicConfig: Record<string, unknown> | null;
  personId: string | null;
  personName: string | null;
  role: Role;
  formToken: string;
}

export interface SessionUse {
  tokenHash: Buffer;
  /** Whether it is to live on because of it. */
  isUse: boolean;
  now: Date;
}

/**
 * The session with this token that has not ended, in a clinic that is not canceled; null when there is none. Notes in the
 * same round trip that it is in use, at most once a minute.
 */
export async function useSession(
  em: EntityManager,
  { tokenHash, isUse, now }: SessionUse,
): Promise<LiveSession | null> {
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  const { rows } = await prepared<LiveSession>(em)`
    WITH used AS (
      UPDATE session SET last_used_at = ${now}
      WHERE ${isUse}
        AND token_hash = ${tokenHash}
        AND ends_at > ${now}
        AND last_used_at BETWEEN ${idleSince} AND ${now}::timestamptz - interval '1 minute'
    )
    SELECT session.tenant_id AS "tenantId", tenant.name AS "clinicName", tenant.config AS "clinicConfig",
      session.person_id AS "personId", person.name AS "personName", session.role AS "role",
      session.form_token AS "formToken"
    FROM session
    LEFT JOIN tenant ON tenant.id = session.tenant_id
    LEFT JOIN person ON person.id = session.person_id
    WHERE session.token_hash = ${tokenHash}
      AND session.ends_at > ${now}
      AND session.last_used_at >= ${idleSince}
      AND tenant.status IS DISTINCT FROM 'canceled'
  `;
  return rows[0] ?? null;
}
