import { MailFailure, type Mailer } from '../../adapters/mail/mailer.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import type { ClinicMail } from '../../domain/clinic/clinic-mail.ts';

export type Mailed = { state: 'sent'; at: Date } | { state: 'no_server' | 'no_address' | 'refused' };

/** Mails a clinic at its current address. @param id constant across retries @throws MailFailure when a retry can succeed */
export async function mailClinic(
  { mailer, clock }: { mailer: Mailer | null; clock: () => Date },
  { email }: Pick<TenantRow, 'email'>,
  mail: ClinicMail & { id: string },
): Promise<Mailed> {
  if (!mailer) return { state: 'no_server' };
  if (!email) return { state: 'no_address' };
  try {
    await mailer.send({ ...mail, to: email });
  } catch (error) {
    if (error instanceof MailFailure && error.isFinal) return { state: 'refused' };
    throw error;
  }
  return { state: 'sent', at: clock() };
}
