import {
  clinicMail,
  mailedTime,
  mailLanguage,
  type MailedClinic,
  type MailLanguage,
} from '../clinic/clinic-mail.ts';
import { timezoneOf } from '../clinic/hours/business-hours.ts';
import { isolated } from '../text/isolated-text.ts';
import type { EndpointNotification, EndpointNotificationKind } from './endpoint-notification.ts';

/**
 * The mail to the clinic, in Portuguese if that is its language. It contains the endpoint and times, never an event or
 * a patient.
 */
export function endpointMail(notification: EndpointNotification, clinic: MailedClinic) {
  const language = mailLanguage(clinic);
  const { greeting, subjects, texts, unread } = MAIL_WORDS[language];
  const { kind, endpointId, endpointUrl, deactivateAt } = notification;
  const [first = '', ...others] =
    deactivateAt === null ? unread : texts[kind](timeOf(deactivateAt, clinic, language));
  const paragraphs = [
    greeting(isolated(clinic.name)),
    first,
    `Endpoint: ${endpointUrl ?? 'pull'} (${endpointId})`,
    ...others,
  ];
  return clinicMail(language, subjects[kind], paragraphs);
}

interface MailWords {
  greeting: (clinic: string) => string;
  subjects: Record<EndpointNotificationKind, string>;
  /** What happened, followed by the endpoint's URL, then what to do. */
  texts: Record<EndpointNotificationKind, (deactivateAt: string) => string[]>;
  /** The same for a pull endpoint. */
  unread: string[];
}

const MAIL_WORDS: Record<MailLanguage, MailWords> = {
  en: {
    greeting: (clinic) => `Hello ${clinic},`,
    subjects: {
      endpoint_failing: 'Your webhook endpoint is failing',
      endpoint_deactivated: 'Your webhook endpoint was disabled',
    },
    texts: {
      endpoint_failing: (at) => [
        'We could not deliver an event to your webhook endpoint in six attempts.',
        `We still send new events. We will disable the endpoint on ${at}, unless it responds with 2xx before then, or you change its URL or choose “Keep enabled” on its page.`,
        'To see what is wrong, open the delivery in the dashboard. It shows each attempt and your endpoint’s response.',
      ],
      endpoint_deactivated: () => [
        'Your webhook endpoint kept failing, so we disabled it. We no longer send events to it.',
        'Fix the endpoint and enable it. You can then resend the missed events of the last 30 days.',
      ],
    },
    unread: [
      'Your software has not read the queue of your webhook endpoint for 24 hours, while events wait.',
      'Start the software that reads the queue, and check its connection to the internet. It then gets everything that waits.',
      'Events wait for 30 days. You can resend older ones from the delivery log.',
    ],
  },
  pt: {
    greeting: (clinic) => `Olá, ${clinic},`,
    subjects: {
      endpoint_failing: 'O seu endpoint de webhook está a falhar',
      endpoint_deactivated: 'O seu endpoint de webhook foi desativado',
    },
    texts: {
      endpoint_failing: (at) => [
        'Não conseguimos entregar um evento ao seu endpoint de webhook em seis tentativas.',
        `Continuamos a enviar novos eventos. O endpoint será desativado em ${at}, a não ser que responda antes com 2xx. Para manter o endpoint ativo, também pode alterar o URL ou escolher “Manter ativo” na página do endpoint.`,
        'Para ver o que está errado, abra a entrega no painel. A página mostra cada tentativa e a resposta do seu endpoint.',
      ],
      endpoint_deactivated: () => [
        'O seu endpoint de webhook continuou a falhar, por isso desativámo-lo. Já não lhe enviamos eventos.',
        'Corrija o endpoint e ative-o. Depois pode reenviar os eventos em falta dos últimos 30 dias.',
      ],
    },
    unread: [
      'O seu software não lê a fila do seu endpoint de webhook há 24 horas, e há eventos à espera.',
      'Inicie o software que lê a fila e verifique a ligação à internet. O software recebe então tudo o que está à espera.',
      'Os eventos esperam 30 dias. Os eventos mais antigos podem ser reenviados a partir do registo de entregas.',
    ],
  },
};

function timeOf(at: Date, { config, country }: MailedClinic, language: MailLanguage): string {
  return mailedTime(at, { language, country, timeZone: timezoneOf(config) });
}
