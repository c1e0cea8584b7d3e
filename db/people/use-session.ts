import { sql } from 'kysely';
import { z } from 'zod';
import {
  CHECK_LEASE_MS,
  CONFIRM_AGAIN_MS,
  CONFIRM_EVERY_MS,
  SESSION_IDLE_MS,
} from '../../domain/people/session.ts';
import { columnsOf } from '../connection/columns.ts';
import {
  firstRow,
  onlyValue,
  prepared,
  tables,
  type EntityManager,
  type RowOf,
} from '../connection/statements.ts';
import { SessionEntity } from '../entities/people/session.entity.ts';

/** A signed-in person and their clinic. */
const LIVE_SESSION = columnsOf(
  'session',
  'tenantId',
  'personId',
  'role',
  'portalLinkId',
  'apiKeyId',
  'formToken',
).extend({
  sessionId: z.string(),
  clinicName: z.string().nullable(),
  clinicConfig: columnsOf('tenant', 'config').shape.config.nullable(),
  /** ISO 3166-1 alpha-2. */
  clinicCountry: z.string().nullable(),
  personName: z.string().nullable(),
  /** The scopes of the key that created the portal link; null: no key did. */
  scopes: columnsOf('api_key', 'scopes').shape.scopes.nullable(),
});
export type LiveSession = z.infer<typeof LIVE_SESSION>;

const USED_SESSION = LIVE_SESSION.extend({ isCheckDue: z.boolean() });

export interface SessionUse {
  tokenHash: Buffer;
  /** The address of the request. */
  address: string;
  /** Whether the request prolongs the session. */
  isUse: boolean;
  now: Date;
}

/**
 * The valid session with this token: it has not ended, the person is not blocked, the clinic is not cancelled, and the
 * key (if any) is valid. Otherwise null. The same round trip records the use, once a minute and when the address
 * changes. Some sessions must first be confirmed by the identity provider: `isCheckDue`.
 */
export function useSession(em: EntityManager, { tokenHash, address, isUse, now }: SessionUse) {
  return firstRow(prepared(em), USED_SESSION)`
    WITH used AS (
      UPDATE session SET last_used_at = ${now}, last_address = ${address}
      WHERE ${isUse}
        AND token_hash = ${tokenHash}
        AND ends_at > ${now}
        AND last_used_at >= ${idleSince(now)}
        AND (
          last_used_at <= ${now}::timestamptz - interval '1 minute'
          OR last_address IS DISTINCT FROM ${address}
        )
    )
    SELECT session.tenant_id, tenant.name AS clinic_name, tenant.config AS clinic_config,
      tenant.country AS clinic_country,
      session.person_id, person.name AS person_name, session.role,
      session.portal_link_id, session.api_key_id, api_key.scopes,
      session.form_token, session.id AS session_id,
      session.person_id IS NOT NULL AND coalesce(session.check_due_at <= ${now}, true) AS is_check_due
    FROM ${SESSION_WITH_MAKER}
    WHERE session.token_hash = ${tokenHash} AND ${hasNotEnded(now)}
  `;
}

const SESSION_WITH_MAKER = sql`
  session
  LEFT JOIN tenant ON tenant.id = session.tenant_id
  LEFT JOIN person ON person.id = session.person_id
  LEFT JOIN api_key ON api_key.id = session.api_key_id`;

/** A condition for a session that is joined with its person, clinic and key: none of them has ended it. */
function hasNotEnded(now: Date) {
  return sql`
    session.ends_at > ${now}
    AND session.last_used_at >= ${idleSince(now)}
    AND person.blocked_at IS NULL
    AND tenant.status IS DISTINCT FROM 'canceled'
    AND api_key.revoked_at IS NULL
    AND (api_key.expires_at IS NULL OR api_key.expires_at > ${now})`;
}

function idleSince(now: Date): Date {
  return new Date(now.getTime() - SESSION_IDLE_MS);
}

/** Whether a session of this clinic has not ended. */
export function isSessionValid(
  em: EntityManager,
  { sessionId, tenantId, now }: { sessionId: string; tenantId: string; now: Date },
): Promise<boolean> {
  return onlyValue(em, z.boolean())`
    SELECT EXISTS (
      SELECT
      FROM ${SESSION_WITH_MAKER}
      WHERE session.id = ${sessionId} AND session.tenant_id = ${tenantId} AND ${hasNotEnded(now)}
    )
  `;
}

/** A session to be confirmed at the identity provider, claimed by this process. */
export interface ClaimedCheck extends RowOf<'session', 'id' | 'tenantId' | 'role' | 'grantSealed'> {
  personId: string;
  subject: string;
  /** The last confirmation by the provider, or the sign-in. */
  confirmedAt: Date;
}

/** Claims the check of a session. Null when another process is asking the provider, or has just done so. */
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
    .returning(['session.id', 'session.tenantId', 'person.id as personId', 'session.role'])
    .returning(['subject', 'grantSealed'])
    .returning((session) => session.fn.coalesce('confirmedAt', 'session.createdAt').as('confirmedAt'))
    .executeTakeFirst();
  return claimed ?? null;
}

interface Checked extends RowOf<'session', 'id' | 'grantSealed'> {
  now: Date;
}

/** Records that the provider has confirmed the person. */
export async function noteConfirmed(em: EntityManager, { id, grantSealed, now }: Checked) {
  const checkDueAt = new Date(now.getTime() + CONFIRM_EVERY_MS);
  const checked = { confirmedAt: now, checkDueAt, checkingUntil: null, grantSealed };
  await em.nativeUpdate(SessionEntity, { id }, checked);
}

/** Records that the provider did not respond, so that it is asked again soon. */
export async function noteUnanswered(em: EntityManager, { id, grantSealed, now }: Checked) {
  const checkDueAt = new Date(now.getTime() + CONFIRM_AGAIN_MS);
  await em.nativeUpdate(SessionEntity, { id }, { checkDueAt, checkingUntil: null, grantSealed });
}

/** Ends a session; its forms can still be sent after the next sign-in. */
export async function endUnconfirmed(em: EntityManager, { id, now }: { id: string; now: Date }) {
  await em.nativeUpdate(SessionEntity, { id }, { endsAt: now, checkingUntil: null, grantSealed: null });
}
