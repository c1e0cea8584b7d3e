import { localeOfClinic } from '../appointments/spoken-time.ts';
import { timezoneOf } from '../clinic/hours/business-hours.ts';
import { END_OF_ISOLATE, ISOLATE, isolated } from '../isolated-text.ts';
import type { EndpointNotification, NotificationKind } from './endpoint-notification.ts';

interface MailedClinic {
  name: string;
  country: string;
  config: Record<string, unknown>;
}

/**
 * The mail to the clinic, in Portuguese if that is its language. It contains the endpoint and times, never an event or
 * a patient.
 */
export function endpointMail(notification: EndpointNotification, clinic: MailedClinic) {
  const language = localeOfClinic(clinic.config, clinic.country).startsWith('pt') ? 'pt' : 'en';
  const { greeting, subjects, texts } = MAIL_WORDS[language];
  const { kind, endpointId, endpointUrl, deactivateAt } = notification;
  const [first = '', ...others] = texts[kind](readableTime(deactivateAt, clinic, language));
  const paragraphs = [
    greeting(isolated(clinic.name)),
    first,
    `Endpoint: ${endpointUrl} (${endpointId})`,
    ...others,
  ];
  const html = paragraphs.map((paragraph) => `<p>${isolatedHtml(escapeHtml(paragraph))}</p>`).join('\n');
  return {
    subject: subjects[kind],
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="${language}">\n<body>\n${html}\n</body>\n</html>\n`,
  };
}

interface MailWords {
  greeting: (clinic: string) => string;
  subjects: Record<NotificationKind, string>;
  /** What happened, followed by the endpoint's URL, then what to do. */
  texts: Record<NotificationKind, (deactivateAt: string) => string[]>;
}

const MAIL_WORDS: Record<'en' | 'pt', MailWords> = {
  en: {
    greeting: (clinic) => `Hello ${clinic},`,
    subjects: {
      endpoint_failing: 'Your webhook endpoint is failing',
      endpoint_deactivated: 'Your webhook endpoint was disabled',
    },
    texts: {
      endpoint_failing: (at) => [
        'We could not deliver an event to your webhook endpoint in six attempts.',
        `We still send new events. We will disable the endpoint on ${at}, unless it answers with 2xx, its URL changes or you enable it again.`,
        'To see what is wrong, open the delivery log: it shows each attempt and your endpoint’s response.',
      ],
      endpoint_deactivated: () => [
        'Your webhook endpoint kept failing, so we disabled it. We no longer send events to it.',
        'No event is lost. Fix the endpoint, enable it, then resend missed events.',
      ],
    },
  },
  pt: {
    greeting: (clinic) => `${clinic}:`,
    subjects: {
      endpoint_failing: 'O seu endpoint de webhook está a falhar',
      endpoint_deactivated: 'O seu endpoint de webhook foi desativado',
    },
    texts: {
      endpoint_failing: (at) => [
        'Não conseguimos entregar um evento ao seu endpoint de webhook em seis tentativas.',
        `Continuamos a enviar novos eventos. Desativamos o endpoint em ${at}, a não ser que responda com 2xx, o URL mude ou o ative de novo.`,
        'Para ver o que está errado, abra o registo de entregas: mostra cada tentativa e a resposta do seu endpoint.',
      ],
      endpoint_deactivated: () => [
        'O seu endpoint de webhook continuou a falhar, por isso desativámo-lo. Já não lhe enviamos eventos.',
        'Nenhum evento se perde. Corrija o endpoint, ative-o e reenvie os eventos em falta.',
      ],
    },
  },
};

function readableTime(at: Date, { config, country }: MailedClinic, language: 'en' | 'pt'): string {
  const timeZone = timezoneOf(config);
  const locale = language === 'pt' ? 'pt-PT' : country === 'US' ? 'en-US' : 'en-GB';
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone });
  return `${format.format(at)} (${timeZone})`;
}

const HTML_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => HTML_ENTITIES[character] ?? character);
}

/** Every mail program knows the tag; the marks stay in the plain text, and only for names that need them. */
function isolatedHtml(escaped: string): string {
  return escaped.replaceAll(ISOLATE, '<bdi>').replaceAll(END_OF_ISOLATE, '</bdi>');
}
