import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  recipients: string[];
  /** The whole message, unfolded: headers, text and HTML as they were transferred. */
  source: string;
  /** Of a header that stands in the message once. */
  header(name: string): string;
}

/** A clinic's mail server on loopback. */
export interface MailServer {
  /** For SMTP_URL. */
  url: string;
  mails: readonly ReceivedMail[];
  /** How recipients, or senders, are answered from now on: 4xx means try later, 5xx means never; null takes them. */
  refuseWith(responseCode: number | null, refused?: 'recipient' | 'sender'): void;
  /** Recipients get no answer at all, until it speaks again. */
  staySilent(isSilent: boolean): void;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let refusal: number | null = null;
  let isOfSender = false;
  let saysNothing = false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onMailFrom(_address, _session, callback) {
      const answer = Object.assign(new Error('no mail from this sender'), { responseCode: refusal });
      callback(refusal !== null && isOfSender ? answer : null);
    },
    onRcptTo(address, _session, callback) {
      if (saysNothing) return;
      const refused = new Error(`no mail for ${address.address}`);
      callback(refusal === null || isOfSender ? null : Object.assign(refused, { responseCode: refusal }));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        const source = unfolded(Buffer.concat(chunks));
        mails.push({ recipients, source, header: (name) => headerOf(source, name) });
        callback();
      });
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuseWith(responseCode, refused = 'recipient') {
      refusal = responseCode;
      isOfSender = refused === 'sender';
    },
    staySilent: (isSilent) => void (saysNothing = isSilent),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function unfolded(message: Buffer): string {
  return message.toString('utf8').replaceAll(/\r\n[ \t]+/g, ' ');
}

function headerOf(source: string, name: string): string {
  const line = new RegExp(`^${name}: (.*)$`, 'im').exec(source);
  return line?.[1]?.trim() ?? '';
}
