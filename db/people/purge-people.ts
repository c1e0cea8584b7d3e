import { sql } from 'kysely';
import { SESSION_IDLE_MS } from '../../domain/people/session.ts';
import type { EntityManager } from '../connection/open-database.ts';

const PAGE = 1000;

/** Removes sessions and portal links that have ended, a bounded number at a time. */
export async function purgeEndedSessions(em: EntityManager, now: Date): Promise<void> {
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  await sql`
    DELETE FROM session WHERE token_hash IN (
      SELECT token_hash FROM session WHERE ends_at <= ${now} OR last_used_at < ${idleSince} LIMIT ${PAGE}
    )
  `.execute(em.getKysely());
  await sql`
    DELETE FROM portal_link WHERE token_hash IN (
      SELECT token_hash FROM portal_link WHERE expires_at <= ${now} LIMIT ${PAGE}
    )
  `.execute(em.getKysely());
}
