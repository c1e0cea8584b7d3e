/** A mail was not taken over. The message names no address: a mail server's answers do. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';
  /** The mail server says that it never will take this mail. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** Only an answer to the recipient or the content is about this mail; a 5xx to the login is about the configuration. */
const ABOUT_THE_MAIL: readonly unknown[] = ['EENVELOPE', 'EMESSAGE'];

export function toMailFailure(error: unknown): MailFailure {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const status = typeof responseCode === 'number' ? responseCode : null;
  const isFinal = ABOUT_THE_MAIL.includes(code) && status !== null && status >= 500;
  const facts = [typeof code === 'string' ? code : 'unknown', ...(status === null ? [] : [`SMTP ${status}`])];
  if (code === 'ETLS')
    return new MailFailure(
      'The mail server did not take the mail: it offers no STARTTLS. Use smtps:// in SMTP_URL, or ?allowPlain=true if nobody else can read the connection (ETLS)',
      false,
    );
  return new MailFailure(`The mail server did not take the mail: ${facts.join(', ')}`, isFinal);
}
