import { afterEach, expect, test } from '@jest/globals';
import { createMailer, type Mailer } from '../../adapters/mail/mailer.ts';
import { startMailServer } from '../webhooks/endpoints/mail-server.ts';
import { forSuite } from '../support/for-suite.ts';

const MAIL = {
  to: 'reception@clinic.example',
  subject: 'Endpoint failing',
  text: 'text',
  html: '<p>text</p>',
  id: 'mail-1',
};

let mailer: Mailer | null = null;
/** It offers no STARTTLS, as a server whose offer is hidden by a machine in between. */
const server = await forSuite(startMailServer());
afterEach(() => mailer?.close());

/** @param host of the URL; 0.0.0.0 leads to this machine and does not say so */
function sendTo(host: string, query = ''): Promise<void> {
  const { port } = new URL(server.url);
  mailer = createMailer({
    smtpUrl: `smtp://user:secret@${host}:${port}/${query}`,
    from: 'webhooks@clinic.example',
  });
  return mailer?.send(MAIL) ?? Promise.resolve();
}

test.each(['', '?requireTLS=false', '?ignoreTLS=true', '?allowPlain=false'])(
  'to a mail server on another machine nothing goes out in plain text, the password least of all: %s',
  async (query) => {
    const refusal: unknown = await sendTo('0.0.0.0', query).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ isFinal: false, message: expect.stringContaining('STARTTLS') });
    expect(server.mails).toEqual([]);
  },
);

test('plain text is sent to this machine, and elsewhere where the address allows it', async () => {
  const { port } = new URL(server.url);
  for (const [host, query] of [
    ['127.0.0.1', ''],
    ['0.0.0.0', '?allowPlain=true'],
  ]) {
    const before = server.mails.length;
    mailer = createMailer({ smtpUrl: `smtp://${host}:${port}/${query}`, from: 'webhooks@clinic.example' });
    await mailer?.send(MAIL);
    expect(server.mails).toHaveLength(before + 1);
  }
});
