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
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

export function toMailFailure(error: unknown): MailFailure {
  const { code, responseCode } = factsOf(error);
  const isFinal = code !== null && ABOUT_THE_MAIL.has(code) && responseCode !== null && responseCode >= 500;
  const facts = [code ?? 'unknown', ...(responseCode === null ? [] : [`SMTP ${responseCode}`])];
  return new MailFailure(`The mail server did not take the mail: ${facts.join(', ')}`, isFinal);
}

function factsOf(error: unknown): { code: string | null; responseCode: number | null } {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return {
    code: typeof code === 'string' ? code : null,
    responseCode: typeof responseCode === 'number' ? responseCode : null,
  };
}
