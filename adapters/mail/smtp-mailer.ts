import { createTransport } from 'nodemailer';
import { toMailFailure } from './mail-failure.ts';
import { mailHeaders, type Mailer } from './outgoing-mail.ts';

const CONNECT_LIMIT_MS = 10_000;
const SILENCE_LIMIT_MS = 30_000;

/** Hands mails to a mail server. TLS comes from the URL: `smtps:`, or STARTTLS where the server offers it. */
export function createSmtpMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: CONNECT_LIMIT_MS,
    greetingTimeout: CONNECT_LIMIT_MS,
    socketTimeout: SILENCE_LIMIT_MS,
  });
  return {
    async send({ id, ...mail }) {
      try {
        await transport.sendMail({ ...mail, ...mailHeaders(id, from), from });
      } catch (error) {
        throw toMailFailure(error);
      }
    },
    close: () => transport.close(),
  };
}
