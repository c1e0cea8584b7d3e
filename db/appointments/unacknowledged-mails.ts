import { sql } from 'kysely';
import { z } from 'zod';
import { onlyRow, run, valuesOf, type EntityManager } from '../connection/statements.ts';
import type { MailState } from '../../domain/webhooks/endpoint-notification.ts';

/** Another process takes over a mail that was interrupted. */
const SENDING_LIMIT_SECONDS = 300;

/** The next clinic whose mail is due, which no other process sends meanwhile; null without any. */
export async function claimMail(em: EntityManager, now: Date): Promise<string | null> {
  const [tenantId = null] = await valuesOf(em, z.string())`
    UPDATE acknowledgement_watch watch
    SET mail_at = ${now}::timestamptz + make_interval(secs => ${SENDING_LIMIT_SECONDS})
    FROM (
      SELECT tenant_id
      FROM acknowledgement_watch
      WHERE mail_at <= ${now}::timestamptz
      ORDER BY mail_at
      LIMIT 1
      FOR NO KEY UPDATE SKIP LOCKED
    ) next
    WHERE watch.tenant_id = next.tenant_id
    RETURNING watch.tenant_id
  `;
  return tenantId;
}

const QUEUED = z.object({ count: z.number(), first: z.string().nullable(), last: z.string().nullable() });

/** How many of the clinic's notifications the next mail counts, and the first and last of them. */
export function countQueued(em: EntityManager, tenantId: string) {
  return onlyRow(em, QUEUED)`
    SELECT count(*)::integer AS count, min(id::text) AS first, max(id::text) AS last
    FROM notification
    WHERE tenant_id = ${tenantId}
      AND mail = 'queued'
  `;
}

/**
 * Records the mail of the notifications up to `last`. What was queued meanwhile goes into the next one, an hour later.
 * The watch is locked first, so that each notification is seen here or sees the result.
 */
export async function recordQueuedMail(
  em: EntityManager,
  { tenantId, last }: { tenantId: string; last: string },
  { state, at }: { state: Exclude<MailState, 'due' | 'queued'>; at: Date },
): Promise<void> {
  const isSent = state === 'sent';
  await run(em)`
    SELECT FROM acknowledgement_watch WHERE tenant_id = ${tenantId} FOR NO KEY UPDATE
  `;
  await run(em)`
    UPDATE notification
    SET mail = ${state}, emailed_at = ${isSent ? at : null}::timestamptz
    WHERE tenant_id = ${tenantId}
      AND mail = 'queued'
      AND id <= ${last}::uuid
  `;
  await run(em)`
    UPDATE acknowledgement_watch
    SET mailed_at = ${isSent ? sql`${at}::timestamptz` : sql`mailed_at`},
        mail_at = CASE
          WHEN EXISTS (SELECT FROM notification WHERE tenant_id = ${tenantId} AND mail = 'queued')
          THEN ${at}::timestamptz + interval '1 hour'
        END
    WHERE tenant_id = ${tenantId}
  `;
}

/** Sends the mail later: the mail server does not answer. */
export function postponeMail(em: EntityManager, tenantId: string, until: Date) {
  return run(em)`
    UPDATE acknowledgement_watch SET mail_at = ${until}::timestamptz WHERE tenant_id = ${tenantId}
  `;
}
