import { z } from 'zod';

/** Where mails go: to a mail server, into a directory as `.eml` files, or nowhere. */
export type MailConfig = { smtpUrl: string; from: string } | { directory: string; from: string } | null;

const LOCAL_SENDER = 'Clinic webhooks <webhooks@localhost>';

const sender = z
  .string()
  .regex(/^[^\r\n]*@[^\r\n]+$/, 'must be an e-mail address')
  .optional();

/**
 * Whether the worker sends mails, for a process that sends none and needs no password: MAIL_FROM is set, or the launcher's
 * MAIL_DIRECTORY.
 */
export const sendsMailConfig = z
  .object({ MAIL_FROM: sender, MAIL_DIRECTORY: z.string().optional() })
  .transform(({ MAIL_FROM, MAIL_DIRECTORY }) => MAIL_FROM !== undefined || MAIL_DIRECTORY !== undefined);

/** SMTP_URL and MAIL_FROM; the launcher sets MAIL_DIRECTORY when there is no mail server. */
export const mailConfig = z
  .object({
    SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
    MAIL_FROM: sender,
    MAIL_DIRECTORY: z.string().optional(),
  })
  .superRefine(({ SMTP_URL, MAIL_FROM }, context) => {
    if (SMTP_URL === undefined || MAIL_FROM !== undefined) return;
    context.addIssue({ code: 'custom', path: ['MAIL_FROM'], message: 'is required with SMTP_URL' });
  })
  .transform(
    ({ SMTP_URL: smtpUrl, MAIL_FROM: from = LOCAL_SENDER, MAIL_DIRECTORY: directory }): MailConfig => {
      if (smtpUrl !== undefined) return { smtpUrl, from };
      return directory === undefined ? null : { directory, from };
    },
  );
