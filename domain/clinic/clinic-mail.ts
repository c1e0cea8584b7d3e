import { localeOfClinic } from '../appointments/spoken-time.ts';
import { mailHtml } from '../text/mail-html.ts';

/** A clinic as its mails need it. */
export interface MailedClinic {
  name: string;
  country: string;
  config: Record<string, unknown>;
}

export type MailLanguage = 'en' | 'pt';

/** Portuguese if that is the clinic's language. */
export function mailLanguage({ config, country }: MailedClinic): MailLanguage {
  return localeOfClinic(config, country).startsWith('pt') ? 'pt' : 'en';
}

/** A day and time with its zone, for a mail. */
export function mailedTime(
  at: Date,
  { language, country, timeZone }: { language: MailLanguage; country: string; timeZone: string },
): string {
  const locale = language === 'pt' ? 'pt-PT' : country === 'US' ? 'en-US' : 'en-GB';
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone });
  return `${format.format(at)} (${timeZone})`;
}

/** A mail with these paragraphs, as text and as HTML. */
export function clinicMail(language: MailLanguage, subject: string, paragraphs: readonly string[]) {
  const html = paragraphs.map((paragraph) => `<p>${mailHtml(paragraph)}</p>`).join('\n');
  return {
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="${language}">\n<body>\n${html}\n</body>\n</html>\n`,
  };
}
export type ClinicMail = ReturnType<typeof clinicMail>;
