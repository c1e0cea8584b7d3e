export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The same for every time this mail is sent, so that mail programs show it once: the local part of its Message-ID. */
  id: string;
}

export interface Mailer {
  /** Resolves when the mail has been taken over. @throws MailFailure */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** The headers that say which mail it is, and RFC 3834's that asks for no out-of-office answer. */
export function mailHeaders(id: string, from: string) {
  return { messageId: messageId(id, from), headers: { 'Auto-Submitted': 'auto-generated' } };
}

/** RFC 5322, section 3.6.4 */
function messageId(id: string, from: string): string {
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost';
  return `<${id}@${domain}>`;
}
