import { sql } from 'kysely';
import { FORM_KNOWN_MS, KEPT_FORM_MS, SESSION_IDLE_MS } from '../../domain/people/session.ts';
import type { EntityManager } from '../connection/open-database.ts';

const PAGE = 1000;

/** Removes portal links that have ended, sessions that have ended and to which no form refers any more, what the identity provider was asked with about those that have ended, and forms that nobody came back for; a bounded number at a time. */
export async function purgeEndedSessions(em: EntityManager, now: Date): Promise<void> {
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  const [knownSince, keptSince] = [FORM_KNOWN_MS, KEPT_FORM_MS].map((ms) => new Date(now.getTime() - ms));
  await sql`
    DELETE FROM session WHERE token_hash IN (
      SELECT token_hash FROM session
      WHERE ends_at <= ${knownSince}
        OR person_id IS NULL AND (ends_at <= ${now} OR last_used_at < ${idleSince})
      LIMIT ${PAGE}
    )
  `.execute(em.getKysely());
  await sql`
    UPDATE session SET grant_sealed = NULL WHERE token_hash IN (
      SELECT token_hash FROM session
      WHERE grant_sealed IS NOT NULL AND (ends_at <= ${now} OR last_used_at < ${idleSince})
      LIMIT ${PAGE}
    )
  `.execute(em.getKysely());
  await sql`
    DELETE FROM kept_form WHERE id IN (SELECT id FROM kept_form WHERE created_at <= ${keptSince} LIMIT ${PAGE})
  `.execute(em.getKysely());
  await sql`
    DELETE FROM portal_link WHERE token_hash IN (
      SELECT token_hash FROM portal_link WHERE expires_at <= ${now} LIMIT ${PAGE}
    )
  `.execute(em.getKysely());
}
