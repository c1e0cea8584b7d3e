import type { ExpressionBuilder } from 'kysely';
import { FORM_KNOWN_MS, KEPT_FORM_MS, SESSION_IDLE_MS } from '../../domain/people/session.ts';
import { tables, type EntityManager, type Tables } from '../connection/statements.ts';

const PAGE = 1000;

/**
 * Deletes ended portal links, ended sessions without a saved form, the provider grants of ended sessions, and saved
 * forms that no one used; in limited batches.
 */
export async function purgeEndedSessions(em: EntityManager, now: Date): Promise<void> {
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  const knownSince = new Date(now.getTime() - FORM_KNOWN_MS);
  const keptSince = new Date(now.getTime() - KEPT_FORM_MS);
  const db = tables(em);
  const sessions = db.selectFrom('session').select('tokenHash').limit(PAGE);
  const hasEnded = (session: ExpressionBuilder<Tables, 'session'>) =>
    session.or([session('endsAt', '<=', now), session('lastUsedAt', '<', idleSince)]);
  const unknown = sessions.where((session) => {
    const isOfNobody = session('personId', 'is', null);
    return session.or([session('endsAt', '<=', knownSince), isOfNobody.and(hasEnded(session))]);
  });
  await db.deleteFrom('session').where('tokenHash', 'in', unknown).execute();
  const granted = sessions.where('grantSealed', 'is not', null).where(hasEnded);
  await db.updateTable('session').set({ grantSealed: null }).where('tokenHash', 'in', granted).execute();
  const forgotten = db.selectFrom('kept_form').select('id').where('createdAt', '<=', keptSince).limit(PAGE);
  await db.deleteFrom('kept_form').where('id', 'in', forgotten).execute();
  const over = db.selectFrom('portal_link').select('tokenHash').where('expiresAt', '<=', now).limit(PAGE);
  await db.deleteFrom('portal_link').where('tokenHash', 'in', over).execute();
}

/** Keeps only the newest `atMost` saved forms of a person. */
export async function dropSurplusForms(em: EntityManager, personId: string, atMost: number): Promise<void> {
  const db = tables(em);
  const own = db.selectFrom('kept_form').select('id').where('personId', '=', personId).orderBy('id', 'desc');
  const surplus = db.deleteFrom('kept_form').where('personId', '=', personId);
  await surplus.where('id', '<=', own.offset(atMost).limit(1)).execute();
}
