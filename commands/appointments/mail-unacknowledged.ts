import type { Mailer } from '../../adapters/mail/mailer.ts';
import { MailFailure } from '../../adapters/mail/mailer.ts';
import {
  claimMail,
  countQueued,
  postponeMail,
  recordQueuedMail,
} from '../../db/appointments/unacknowledged-mails.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { unacknowledgedMail } from '../../domain/appointments/unacknowledged-mail.ts';
import { requireTenant } from '../clinic/lock-tenant.ts';
import { mailClinic } from '../clinic/mail-clinic.ts';

const RETRY_AFTER_MS = 10 * 60_000;

interface MailUnacknowledged {
  database: Database;
  mailer: Mailer | null;
  clock: () => Date;
}

/**
 * Sends the next clinic the number of appointments that its other system has not written. If the process is killed before
 * this is recorded, the mail is sent again with the same Message-ID. Returns the clinic and what became of the mail; null
 * when none is due.
 */
export async function mailUnacknowledged({ database, mailer, clock }: MailUnacknowledged) {
  const tenantId = await claimMail(database.em(), clock());
  if (tenantId === null) return null;
  const { count, first, last } = await countQueued(database.em(), tenantId);
  if (first === null || last === null) throw new Error('a mail was due without a notification');
  const clinic = await requireTenant(database.em(), tenantId);
  try {
    const mail = { ...unacknowledgedMail(count, clinic), id: first };
    const { state } = await mailClinic({ mailer, clock }, clinic, mail);
    await database.write((em) => recordQueuedMail(em, { tenantId, last }, { state, at: clock() }));
    return { tenantId, state, count };
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    await postponeMail(database.em(), tenantId, new Date(clock().getTime() + RETRY_AFTER_MS));
    return { tenantId, state: 'postponed' as const, count };
  }
}
