import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { mailHeaders, type Mailer } from './outgoing-mail.ts';

/** Writes each mail as a file that mail programs open, named after its id, so that sending it again replaces it. */
export function createMailDirectory({ directory, from }: { directory: string; from: string }): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send({ id, ...mail }) {
      const { message } = await transport.sendMail({ ...mail, ...mailHeaders(id, from), from });
      await mkdir(directory, { recursive: true });
      const path = join(directory, `${id}.eml`);
      // Whoever watches the directory sees whole mails only.
      await writeFile(`${path}.part`, message, { mode: 0o600 });
      await rename(`${path}.part`, path);
    },
    close: () => transport.close(),
  };
}
