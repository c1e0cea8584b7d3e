import { CHECK_LEASE_MS, CONFIRM_AGAIN_MS, CONFIRM_EVERY_MS } from '../../domain/people/session.ts';
import { tables, type EntityManager, type RowOf } from '../connection/statements.ts';
import { SessionEntity } from '../entities/session.entity.ts';

/** A session whose person is to be confirmed, which nobody else does meanwhile. */
export interface ClaimedCheck extends RowOf<'session', 'id' | 'tenantId' | 'role' | 'grantSealed'> {
  personId: string;
  subject: string;
  /** When the provider confirmed it last, or the sign-in. */
  confirmedAt: Date;
}

/** Null: somebody else asks the provider about it now, or has done so. */
export async function claimCheck(
  em: EntityManager,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<ClaimedCheck | null> {
  const claimed = await tables(em)
    .updateTable('session')
    .from('person')
    .set({ checkingUntil: new Date(now.getTime() + CHECK_LEASE_MS) })
    .where('tokenHash', '=', tokenHash)
    .where((session) => session.or([session('checkDueAt', 'is', null), session('checkDueAt', '<=', now)]))
    .where((session) =>
      session.or([session('checkingUntil', 'is', null), session('checkingUntil', '<=', now)]),
    )
    .whereRef('person.id', '=', 'session.personId')
    .returning([
      'session.id',
      'session.tenantId',
      'person.id as personId',
      'session.role',
      'subject',
      'grantSealed',
    ])
    .returning((session) => session.fn.coalesce('confirmedAt', 'session.createdAt').as('confirmedAt'))
    .executeTakeFirst();
  return claimed ?? null;
}

/** The provider has said that they still are who they were. */
export async function noteConfirmed(
  em: EntityManager,
  { id, grantSealed, now }: { id: string; grantSealed: string; now: Date },
): Promise<void> {
  const checkDueAt = new Date(now.getTime() + CONFIRM_EVERY_MS);
  const checked = { confirmedAt: now, checkDueAt, checkingUntil: null, grantSealed };
  await em.nativeUpdate(SessionEntity, { id }, checked);
}

/** The provider has not answered: it is asked again soon. */
export async function noteUnanswered(
  em: EntityManager,
  { id, grantSealed, now }: { id: string; grantSealed: string | null; now: Date },
): Promise<void> {
  const checkDueAt = new Date(now.getTime() + CONFIRM_AGAIN_MS);
  await em.nativeUpdate(SessionEntity, { id }, { checkDueAt, checkingUntil: null, grantSealed });
}

/** Ends a session whose forms may still be sent after the next sign-in. */
export async function endUnconfirmed(em: EntityManager, { id, now }: { id: string; now: Date }) {
  await em.nativeUpdate(SessionEntity, { id }, { endsAt: now, checkingUntil: null, grantSealed: null });
}
