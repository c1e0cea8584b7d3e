import type { MailConfig } from './mail-config.ts';
import { createMailDirectory } from './mail-directory.ts';
import type { Mailer } from './outgoing-mail.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

/** Null when this deployment sends no mail. */
export function createMailer(config: MailConfig): Mailer | null {
  if (config === null) return null;
  return 'smtpUrl' in config ? createSmtpMailer(config) : createMailDirectory(config);
}
