import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailConfig } from './mail-config.ts';

const CONNECT_LIMIT_MS = 10_000;
const SILENCE_LIMIT_MS = 30_000;

export interface Mailer {
  /** Resolves when the mail server has accepted the mail. @throws MailFailure */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The name beside MAIL_FROM's address; its own name by default. */
  senderName?: string;
  replyTo?: string | null;
  /** A calendar file, also as a part that calendars read by themselves (RFC 6047). */
  calendar?: { method: string; content: string };
  /** The local part of the mail's Message-ID. Retries use the same id, so that mail programs show the mail once. */
  id: string;
}

/** Creates the mailer of this deployment; null when it sends no mail. */
export function createMailer(config: MailConfig): Mailer | null {
  if (config === null) return null;
  return 'smtpUrl' in config ? createSmtpMailer(config) : createMailDirectory(config);
}

/** Sends to a mail server over TLS (`smtps:` or STARTTLS), unless it is local or the URL has `allowPlain=true`. */
function createSmtpMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  const transport = createTransport({
    url: withoutTlsOptions(smtpUrl),
    requireTLS: requiresStartTls(new URL(smtpUrl)),
    connectionTimeout: CONNECT_LIMIT_MS,
    greetingTimeout: CONNECT_LIMIT_MS,
    socketTimeout: SILENCE_LIMIT_MS,
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail(withHeaders(mail, from));
      } catch (error) {
        throw toMailFailure(error);
      }
    },
    close: () => transport.close(),
  };
}

const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;

/**
 * Whether STARTTLS is required: otherwise an attacker between us and the server could hide STARTTLS and read the
 * password.
 */
function requiresStartTls({ protocol, hostname, searchParams }: URL): boolean {
  return protocol === 'smtp:' && !THIS_MACHINE.test(hostname) && searchParams.get('allowPlain') !== 'true';
}

/** Removes TLS options from the URL, because they would override ours. */
function withoutTlsOptions(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  for (const option of ['requireTLS', 'ignoreTLS', 'allowPlain']) url.searchParams.delete(option);
  return url.href;
}

/** Writes each mail as a file named after its id, so that sending it again replaces it. */
function createMailDirectory({ directory, from }: { directory: string; from: string }): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(withHeaders(mail, from));
      await mkdir(directory, { recursive: true });
      const path = join(directory, `${mail.id}.eml`);
      // Written under another name first, so that watchers see only complete mails.
      await writeFile(`${path}.part`, message, { mode: 0o600 });
      await rename(`${path}.part`, path);
    },
    close: () => transport.close(),
  };
}

/**
 * Adds the headers that identify the mail (RFC 5322, section 3.6.4) and that prevent out-of-office answers (RFC 3834).
 */
function withHeaders({ id, senderName, replyTo, calendar, ...mail }: OutgoingMail, from: string) {
  const address = addressIn(from);
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return {
    ...mail,
    from: senderName === undefined ? from : { name: senderName, address },
    ...(replyTo && { replyTo }),
    ...(calendar && { icalEvent: { ...calendar, filename: 'visit.ics' } }),
    messageId: `<${id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** The address in a sender such as `Clinic <clinic@example.com>`. */
export function addressIn(from: string): string {
  return /[^\s<]+@[^>\s]+/.exec(from)?.[0] ?? 'localhost@localhost';
}

/** A mail was not accepted. The message contains no address, because mail servers quote them. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';
  /** The mail server will never accept this mail. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/**
 * Codes of errors about the recipient or the content. Other errors do not concern this mail: a 5xx response to the
 * login or the sender is a configuration problem.
 */
const ABOUT_THE_MAIL: readonly unknown[] = ['EENVELOPE', 'EMESSAGE'];

function toMailFailure(error: unknown): MailFailure {
  const { code, responseCode, command } = error as Record<'code' | 'responseCode' | 'command', unknown>;
  const status = typeof responseCode === 'number' ? responseCode : null;
  const isAboutMail = ABOUT_THE_MAIL.includes(code) && command !== 'MAIL FROM';
  const isFinal = isAboutMail && status !== null && status >= 500;
  const facts = [typeof code === 'string' ? code : 'unknown', ...(status === null ? [] : [`SMTP ${status}`])];
  if (code === 'ETLS')
    return new MailFailure(
      'The mail server did not accept the mail: it does not offer STARTTLS. Use smtps:// in SMTP_URL, or ?allowPlain=true if no one else can read the connection (ETLS)',
      false,
    );
  return new MailFailure(`The mail server did not accept the mail: ${facts.join(', ')}`, isFinal);
}
