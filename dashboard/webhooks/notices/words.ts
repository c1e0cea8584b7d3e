import type { MailState, NotificationKind } from '../../../domain/webhooks/endpoint-notification.ts';
import { words } from '../../language/language.ts';

export const NOTICE_WORDS = words({
  en: {
    unread: (count: string) => `${count} unread`,
    kinds: {
      endpoint_failing: (endpoint, at) =>
        `An event could not be delivered to ${endpoint}. It is switched off ${at} unless a delivery succeeds, its URL changes or somebody enables it.`,
      endpoint_deactivated: (endpoint) =>
        `${endpoint} kept failing and was switched off. Events are kept: once the receiver works, enable it and send what was missed.`,
    } satisfies Record<NotificationKind, (endpoint: string, at: string) => string>,
    /** The same of what is no longer so. */
    past: {
      endpoint_failing: (endpoint) =>
        `An event could not be delivered to ${endpoint}. It is no longer failing as it was then; its page says how it stands.`,
      endpoint_deactivated: (endpoint) =>
        `${endpoint} kept failing and was switched off. That has changed since; its page says how it stands.`,
    } satisfies Record<NotificationKind, (endpoint: string) => string>,
    mail: {
      sent: 'A mail was sent to the clinic.',
      no_address: 'No mail was sent: the clinic has no e-mail address.',
      sent_recently: 'No mail was sent: there was one within the last 24 hours.',
      refused: 'No mail was sent: the mail server refused the address of the clinic.',
      no_server: 'No mail was sent: this service has no mail server.',
    } satisfies Partial<Record<MailState, string>>,
    look: 'To the endpoint',
    read: 'Mark as read',
    readAt: (at: string) => `Read ${at}`,
    all: 'All notices',
    none: 'There is no notice. When an endpoint fails you are told here and by mail.',
    next: 'Older notices',
    heads: { notice: 'Notice', at: 'When', mail: 'Mail', state: 'State' },
    unreadState: 'Unread',
  },
  pt: {
    unread: (count) => `${count} por ler`,
    kinds: {
      endpoint_failing: (endpoint, at) =>
        `Não foi possível entregar um evento a ${endpoint}. Será desligado ${at}, a menos que uma entrega resulte, o URL mude ou alguém o volte a ligar.`,
      endpoint_deactivated: (endpoint) =>
        `${endpoint} continuou a falhar e foi desligado. Os eventos ficam guardados: quando o recetor funcionar, ligue-o e envie o que faltou.`,
    },
    past: {
      endpoint_failing: (endpoint) =>
        `Não foi possível entregar um evento a ${endpoint}. Já não está a falhar como então; a sua página diz como está.`,
      endpoint_deactivated: (endpoint) =>
        `${endpoint} continuou a falhar e foi desligado. Isso mudou entretanto; a sua página diz como está.`,
    },
    mail: {
      sent: 'Foi enviado um e-mail à clínica.',
      no_address: 'Não foi enviado e-mail: a clínica não tem endereço de e-mail.',
      sent_recently: 'Não foi enviado e-mail: houve um nas últimas 24 horas.',
      refused: 'Não foi enviado e-mail: o servidor de e-mail recusou o endereço da clínica.',
      no_server: 'Não foi enviado e-mail: este serviço não tem servidor de e-mail.',
    },
    look: 'Para o endpoint',
    read: 'Marcar como lido',
    readAt: (at) => `Lido ${at}`,
    all: 'Todos os avisos',
    none: 'Não há avisos. Quando um endpoint falhar, é avisado aqui e por e-mail.',
    next: 'Avisos mais antigos',
    heads: { notice: 'Aviso', at: 'Quando', mail: 'E-mail', state: 'Estado' },
    unreadState: 'Por ler',
  },
});
