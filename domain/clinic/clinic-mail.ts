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
