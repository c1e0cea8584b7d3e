import { SESSION_IDLE_MS } from '../../domain/people/session.ts';
import type { Scope } from '../../domain/clinic/api-scopes.ts';
import { prepared, type EntityManager, type RowOf } from '../connection/statements.ts';

/** Who is signed in, and where. */
export interface LiveSession extends RowOf<
  'session',
  'tenantId' | 'personId' | 'role' | 'portalLinkId' | 'apiKeyId' | 'formToken'
> {
  sessionId: string;
  clinicName: string | null;
  clinicConfig: Record<string, unknown> | null;
  /** ISO 3166-1 alpha-2. */
  clinicCountry: string | null;
  personName: string | null;
  /** Of the key that made the link it came by; null: no key did. */
  scopes: Scope[] | null;
}

/** As it is found: before it counts, a person may have to be confirmed at the identity provider. */
export interface FoundSession extends LiveSession {
  isCheckDue: boolean;
}

export interface SessionUse {
  tokenHash: Buffer;
  /** From where it is used. */
  address: string;
  /** Whether it is to live on because of it. */
  isUse: boolean;
  now: Date;
}

/**
 * The session with this token that has not ended, of a person who is not blocked, in a clinic that is not canceled, by a key
 * that is good, if by one; null when there is none. Notes in the same round trip that it is in use, once a minute and when
 * that is from elsewhere.
 */
export async function useSession(em: EntityManager, { tokenHash, address, isUse, now }: SessionUse) {
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  const rows = await prepared<FoundSession>(em)`
    WITH used AS (
      UPDATE session SET last_used_at = ${now}, last_address = ${address}
      WHERE ${isUse}
        AND token_hash = ${tokenHash}
        AND ends_at > ${now}
        AND last_used_at >= ${idleSince}
        AND (
          last_used_at <= ${now}::timestamptz - interval '1 minute'
          OR last_address IS DISTINCT FROM ${address}
        )
    )
    SELECT session.tenant_id AS "tenantId", tenant.name AS "clinicName", tenant.config AS "clinicConfig",
      tenant.country AS "clinicCountry",
      session.person_id AS "personId", person.name AS "personName", session.role AS "role",
      session.portal_link_id AS "portalLinkId", session.api_key_id AS "apiKeyId", api_key.scopes AS "scopes",
      session.form_token AS "formToken", session.id AS "sessionId",
      session.person_id IS NOT NULL AND coalesce(session.check_due_at <= ${now}, true) AS "isCheckDue"
    FROM session
    LEFT JOIN tenant ON tenant.id = session.tenant_id
    LEFT JOIN person ON person.id = session.person_id
    LEFT JOIN api_key ON api_key.id = session.api_key_id
    WHERE session.token_hash = ${tokenHash}
      AND session.ends_at > ${now}
      AND session.last_used_at >= ${idleSince}
      AND person.blocked_at IS NULL
      AND tenant.status IS DISTINCT FROM 'canceled'
      AND api_key.revoked_at IS NULL
      AND (api_key.expires_at IS NULL OR api_key.expires_at > ${now})
  `;
  return rows[0] ?? null;
}
