import { sql } from 'kysely';
import { CHECK_LEASE_MS, CONFIRM_AGAIN_MS, CONFIRM_EVERY_MS } from '../../domain/people/session.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** A session whose person is to be confirmed, which nobody else does meanwhile. */
export interface ClaimedCheck {
  id: string;
  tenantId: string | null;
  personId: string;
  role: string;
  subject: string;
  grantSealed: string | null;
  /** When the provider confirmed it last, or the sign-in. */
  confirmedAt: Date;
}

/** Null: somebody else asks the provider about it now, or has done so. */
export async function claimCheck(
  em: EntityManager,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<ClaimedCheck | null> {
  const { rows } = await sql<ClaimedCheck & { confirmedAt: string }>`
    UPDATE session
    SET checking_until = ${new Date(now.getTime() + CHECK_LEASE_MS)}
    FROM person
    WHERE session.token_hash = ${tokenHash}
      AND coalesce(session.check_due_at <= ${now}, true)
      AND coalesce(session.checking_until <= ${now}, true)
      AND person.id = session.person_id
    RETURNING session.id, session.tenant_id AS "tenantId", session.person_id AS "personId",
      session.role, person.subject, session.grant_sealed AS "grantSealed",
      coalesce(session.confirmed_at, session.created_at) AS "confirmedAt"
  `.execute(em.getKysely());
  const [row] = rows;
  return row === undefined ? null : { ...row, confirmedAt: new Date(row.confirmedAt) };
}

/** The provider has said that they still are who they were. */
export async function noteConfirmed(
  em: EntityManager,
  { id, grantSealed, now }: { id: string; grantSealed: string; now: Date },
): Promise<void> {
  await sql`
    UPDATE session
    SET confirmed_at = ${now}, check_due_at = ${new Date(now.getTime() + CONFIRM_EVERY_MS)},
      checking_until = NULL, grant_sealed = ${grantSealed}
    WHERE id = ${id}
  `.execute(em.getKysely());
}

/** The provider has not answered: it is asked again soon. */
export async function noteUnanswered(
  em: EntityManager,
  { id, grantSealed, now }: { id: string; grantSealed: string | null; now: Date },
): Promise<void> {
  await sql`
    UPDATE session
    SET check_due_at = ${new Date(now.getTime() + CONFIRM_AGAIN_MS)}, checking_until = NULL, grant_sealed = ${grantSealed}
    WHERE id = ${id}
  `.execute(em.getKysely());
}

/** Ends a session whose forms may still be sent after the next sign-in. */
export async function endUnconfirmed(
  em: EntityManager,
  { id, now }: { id: string; now: Date },
): Promise<void> {
  await sql`
    UPDATE session
    SET ends_at = ${now}, checking_until = NULL, grant_sealed = NULL
    WHERE id = ${id}
  `.execute(em.getKysely());
}
