import type { EndpointNotificationKind, MailState } from '../../../domain/webhooks/endpoint-notification.ts';
import { words } from '../../language/language.ts';

export const ALERT_WORDS = words({
  en: {
    unread: (count: string) => `${count} unread`,
    kinds: {
      endpoint_failing: (endpoint, at) =>
        `An event could not be delivered to ${endpoint}. The endpoint will be disabled ${at}, unless a delivery succeeds, or someone changes the endpoint’s URL or chooses “Keep enabled”.`,
      endpoint_deactivated: (endpoint) =>
        `${endpoint} kept failing and was disabled. Fix the endpoint and enable it. You can then resend the missed events of the last 30 days.`,
    } satisfies Record<EndpointNotificationKind, (endpoint: string, at: string) => string>,
    /** About a pull endpoint. */
    unread24h:
      'The queue of a pull endpoint has not been read for 24 hours while deliveries wait. Start the software that reads the queue.',
    readAgain:
      'The queue of a pull endpoint was not read for 24 hours. This has changed; the endpoint’s page shows the current status.',
    /** For alerts that no longer apply. */
    past: {
      endpoint_failing: (endpoint) =>
        `An event could not be delivered to ${endpoint}. The endpoint is no longer failing; its page shows the current status.`,
      endpoint_deactivated: (endpoint) =>
        `${endpoint} kept failing and was disabled. The endpoint’s status has changed since then; its page shows the current status.`,
    } satisfies Record<EndpointNotificationKind, (endpoint: string) => string>,
    unacknowledged: 'The practice software refused an appointment, or did not confirm it in time.',
    mail: {
      queued: 'The next email counts this alert.',
      sent: 'We emailed the clinic.',
      no_address: 'No email was sent: the clinic has no email address.',
      sent_recently: 'No email was sent, because we had already sent one in the 24 hours before.',
      refused: 'No email was sent: the mail server rejected the clinic’s address.',
      no_server: 'No email was sent: this service has no mail server.',
    } satisfies Partial<Record<MailState, string>>,
    look: 'View endpoint',
    lookAtAppointment: 'View appointment',
    read: 'Mark as read',
    readAt: (at: string) => `Read ${at}`,
    all: 'All alerts',
    none: 'No alerts. When an endpoint fails or the practice software does not confirm an appointment, we show an alert here and send you an email.',
    next: 'Older alerts',
    heads: { notice: 'Alert', at: 'When', mail: 'Email', state: 'Status' },
    unreadState: 'Unread',
  },
  pt: {
    unread: (count) => `${count} por ler`,
    kinds: {
      endpoint_failing: (endpoint, at) =>
        `Não foi possível entregar um evento a ${endpoint}. O endpoint será desativado ${at}, a não ser que uma entrega seja aceite, ou que alguém altere o URL do endpoint ou escolha “Manter ativo”.`,
      endpoint_deactivated: (endpoint) =>
        `${endpoint} continuou a falhar e foi desativado. Corrija o endpoint e ative-o. Depois pode reenviar os eventos em falta dos últimos 30 dias.`,
    },
    unread24h:
      'A fila de um endpoint pull não é lida há 24 horas, e há entregas à espera. Inicie o software que lê a fila.',
    readAgain:
      'A fila de um endpoint pull não foi lida durante 24 horas. A situação mudou; a página do endpoint mostra o estado atual.',
    past: {
      endpoint_failing: (endpoint) =>
        `Não foi possível entregar um evento a ${endpoint}. O endpoint já não está a falhar; a página do endpoint mostra o estado atual.`,
      endpoint_deactivated: (endpoint) =>
        `${endpoint} continuou a falhar e foi desativado. Desde então, o estado do endpoint mudou; a página do endpoint mostra o estado atual.`,
    },
    unacknowledged: 'O software da clínica recusou uma marcação ou não a confirmou a tempo.',
    mail: {
      queued: 'O próximo e-mail inclui este alerta na contagem.',
      sent: 'Enviámos um e-mail à clínica.',
      no_address: 'Não foi enviado nenhum e-mail: a clínica não tem endereço de e-mail.',
      sent_recently:
        'Não foi enviado nenhum e-mail, porque já tínhamos enviado um e-mail nas 24 horas anteriores.',
      refused: 'Não foi enviado nenhum e-mail: o servidor de e-mail recusou o endereço da clínica.',
      no_server: 'Não foi enviado nenhum e-mail: este sistema não tem servidor de e-mail.',
    },
    look: 'Ver o endpoint',
    lookAtAppointment: 'Ver a marcação',
    read: 'Marcar como lido',
    readAt: (at) => `Lido ${at}`,
    all: 'Todos os alertas',
    none: 'Não há alertas. Quando um endpoint falhar ou o software da clínica não confirmar uma marcação, mostramos aqui um alerta e enviamos um e-mail.',
    next: 'Alertas mais antigos',
    heads: { notice: 'Alerta', at: 'Quando', mail: 'E-mail', state: 'Estado' },
    unreadState: 'Por ler',
  },
});
