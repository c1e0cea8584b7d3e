import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createEndpointHealthActivities } from '../../../activities/endpoint-health.activities.ts';
import { readConfig } from '../../../adapters/config/read-config.ts';
import { mailConfig } from '../../../adapters/mail/mail-config.ts';
import { createMailer, type Mailer } from '../../../adapters/mail/mailer.ts';
import { NotificationEntity } from '../../../db/entities/webhooks/notification.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { aClinic, anEndpoint } from '../../support/clinic.ts';
import { suiteDatabase } from '../../support/database.ts';
import { testLogger } from '../../support/test-logger.ts';
import { startMailServer } from './mail-server.ts';
import { anEventUsedUp } from '../recorded-attempts.ts';
import { forSuite } from '../../support/for-suite.ts';

const database = await suiteDatabase({ applicationName: 'mails' });
const mailServer = await forSuite(startMailServer());
const smtp = mailerOf({ SMTP_URL: mailServer.url, MAIL_FROM: 'Clinic webhooks <webhooks@service.example>' });
afterAll(() => smtp.close());

function mailerOf(environment: Record<string, string>): Mailer {
  const mailer = createMailer(readConfig({ mail: mailConfig }, environment).mail);
  if (!mailer) throw new Error('this environment sends no mail');
  return mailer;
}

/** A clinic with a failing endpoint; nothing is mailed yet. */
async function aFailingEndpoint(email = 'geral@sorriso.example') {
  const { tenantId } = await aClinic(database);
  const name = 'Clínica <Sorriso> & Filhos';
  await database.write((em) =>
    em.nativeUpdate(TenantEntity, { id: tenantId }, { email, name, config: { language: 'en' } }),
  );
  const endpointId = await anEndpoint(database, tenantId);
  await anEventUsedUp(database, { tenantId, endpointId });
  return { clinicId: tenantId, endpointId };
}

function mailAbout(endpoint: { clinicId: string; endpointId: string }, mailer: Mailer | null): Promise<void> {
  const dependencies = { database, mailer, logger: testLogger(), clock: () => new Date() };
  return createEndpointHealthActivities(dependencies).sendNotificationMails(endpoint);
}

function notificationOf({ endpointId }: { endpointId: string }) {
  return database.em().findOneOrFail(NotificationEntity, { endpointId });
}

test('a mail goes to the clinic in text and HTML, from the sender, and is written down as sent', async () => {
  const endpoint = await aFailingEndpoint('text@sorriso.example');
  await mailAbout(endpoint, smtp);
  const mail = mailServer.mails.find(({ recipients }) => recipients.includes('text@sorriso.example'));
  const { id, emailedAt } = await notificationOf(endpoint);
  expect(mail?.header('From')).toBe('Clinic webhooks <webhooks@service.example>');
  expect(mail?.header('Message-ID')).toBe(`<${id}@service.example>`);
  expect(mail?.header('Content-Type')).toMatch(/^multipart\/alternative/);
  const [text = '', html = ''] = (mail?.source ?? '').split('Content-Type: text/html');
  expect(text).toContain('<Sorriso> & Filhos');
  expect(html).toContain('&lt;Sorriso&gt; &amp; Filhos');
  expect(html).not.toContain('<Sorriso>');
  expect(emailedAt).not.toBeNull();
});

test('a worker killed between sending and writing it down sends the mail again under the same Message-ID', async () => {
  const recipient = 'again@sorriso.example';
  const endpoint = await aFailingEndpoint(recipient);
  const killed: Mailer = {
    async send(mail) {
      await smtp.send(mail);
      throw new Error('killed');
    },
    close: () => undefined,
  };
  await expect(mailAbout(endpoint, killed)).rejects.toThrow('killed');
  await mailAbout(endpoint, smtp);
  await mailAbout(endpoint, smtp);
  const mails = mailServer.mails.filter(({ recipients }) => recipients.includes(recipient));
  expect(mails).toHaveLength(2);
  expect(new Set(mails.map((mail) => mail.header('Message-ID'))).size).toBe(1);
});

test('a mail server that takes no mail for now lets the activity fail, without the address in the failure', async () => {
  const endpoint = await aFailingEndpoint('later@sorriso.example');
  mailServer.refuseWith(451);
  const failure = await mailAbout(endpoint, smtp).catch((error: unknown) => error);
  mailServer.refuseWith(null);
  expect(failure).toMatchObject({ message: 'The mail server did not accept the mail: EENVELOPE, SMTP 451' });
  expect((await notificationOf(endpoint)).mail).toBe('due');
});

test('an address that the mail server refuses for good is not tried for ever', async () => {
  const endpoint = await aFailingEndpoint('wrong@sorriso.example');
  mailServer.refuseWith(550);
  await mailAbout(endpoint, smtp);
  mailServer.refuseWith(null);
  expect((await notificationOf(endpoint)).mail).toBe('refused');
});

test('without a mail server each mail becomes a file that mail programs open', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'mails-'));
  const endpoint = await aFailingEndpoint();
  await mailAbout(endpoint, mailerOf({ MAIL_DIRECTORY: join(directory, 'mail') }));
  const { id, mail } = await notificationOf(endpoint);
  expect(await readdir(join(directory, 'mail'))).toEqual([`${id}.eml`]);
  const path = join(directory, 'mail', `${id}.eml`);
  expect(await readFile(path, 'utf8')).toContain('Subject: Your webhook endpoint is failing');
  expect((await stat(path)).mode & 0o077).toBe(0);
  expect(mail).toBe('sent');
  await rm(directory, { recursive: true });
});

test('a deployment without mail says so in the notification', async () => {
  const endpoint = await aFailingEndpoint();
  await mailAbout(endpoint, null);
  expect(await notificationOf(endpoint)).toMatchObject({ mail: 'no_server', emailedAt: null });
});

test('SMTP_URL needs a sender and the right kind of address', () => {
  const problems = (environment: Record<string, string>) => () =>
    readConfig({ mail: mailConfig }, environment);
  expect(problems({ SMTP_URL: 'smtp://mail.example' })).toThrow('MAIL_FROM: is required with SMTP_URL');
  expect(problems({ SMTP_URL: 'https://mail.example', MAIL_FROM: 'a@b.example' })).toThrow(
    'SMTP_URL: must be',
  );
  expect(problems({ MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' })).toThrow('MAIL_FROM: must be');
});
