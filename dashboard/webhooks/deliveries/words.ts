import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import { words } from '../../language/language.ts';

export const DELIVERY_WORDS = words({
  en: {
    heads: {
      event: 'Event',
      endpoint: 'Endpoint',
      state: 'Status',
      attempts: 'Attempts',
      next: 'Next attempt',
      created: 'Created',
      appointment: 'Appointment',
      eventId: 'Event ID',
      resendOf: 'Resend of',
    },
    none: 'No deliveries yet. They appear here when there is an event in the clinic, or when you send a test event.',
    noneFound: 'No deliveries match these filters.',
    next: 'Older deliveries',
    states: {
      pending: 'Pending',
      retrying: 'Retrying',
      succeeded: 'Delivered',
      failed: 'Failed',
      skipped: 'Not sent',
    } satisfies Record<DeliveryStatus, string>,
    /** What the status means and who must act. */
    about: {
      pending: 'The first attempt is about to be made.',
      retrying: 'The last attempt failed. We retry automatically; you can also choose “Retry now”.',
      refused:
        'The endpoint rejected the event. We keep retrying, but the event arrives only after the team that runs the endpoint fixes it.',
      succeeded: 'The endpoint accepted the event.',
      failed:
        'All attempts failed. Fix the endpoint, then resend this delivery. To resend all missed events, open the endpoint’s page.',
      skipped:
        'The endpoint was disabled. Enable the endpoint, then resend this delivery. To resend all missed events, open the endpoint’s page.',
    } satisfies Record<DeliveryStatus | 'refused', string>,
    inQueue: 'The delivery waits until your software reads the queue.',
    fromQueue: 'Your software has read the event from the queue.',
    paused: (until: string) => `The endpoint is paused until ${until}. The delivery waits.`,
    stopped:
      'The endpoint is disabled, so we make no attempts. Unless you enable the endpoint within a few minutes, this delivery ends as “Not sent”.',
    of: (made: string, most: string) => `${made} of ${most}`,
    dueNow: 'now',
    overdue: (since: string) => `overdue since ${since}`,
    removed: 'deleted',
    retry: 'Retry now',
    uses: (number: string, most: string) => `This makes attempt ${number} of ${most}.`,
    lastAttempt: {
      question:
        'This is the last attempt. If it fails, the delivery ends as “Failed”, but you can still resend it. Make the attempt now?',
      keep: 'Not now',
    },
    resend: 'Resend',
    attempts: 'Attempts',
    noAttempts: 'No attempts yet.',
    attempt: (number: string) => `Attempt ${number}`,
    answered: (status: number) => `responded with ${status}`,
    unanswered: 'no response',
    took: 'took',
    sentTo: 'Endpoint',
    answer: 'Response',
    cut: '… truncated',
    headers: 'Request headers',
    headersText: 'The signature shown uses the secrets that are still valid.',
    nothingSent: 'Nothing was sent, because no connection could be made.',
    body: 'Body',
    bodyGone: 'The event’s content has been deleted.',
    bodyHidden:
      'This link doesn’t show the event or the response, because the API key that created the link has no permission to read them.',
    bodyLong: 'Only the beginning of the body is shown.',
    curl: 'Send it yourself',
    curlText:
      'This command uses the signature of the last attempt. Receivers reject a signature after five minutes. To get a new signature, retry or resend the delivery.',
    curlUnsigned: 'Nothing has been sent yet, so there is no signature.',
    curlLong: 'The body is too long for a command. First save it as body.json.',
  },
  pt: {
    heads: {
      event: 'Evento',
      endpoint: 'Endpoint',
      state: 'Estado',
      attempts: 'Tentativas',
      next: 'Próxima tentativa',
      created: 'Criada',
      appointment: 'Marcação',
      eventId: 'ID do evento',
      resendOf: 'Reenvio de',
    },
    none: 'Ainda não há entregas. As entregas aparecem aqui quando houver um evento na clínica ou quando enviar um evento de teste.',
    noneFound: 'Nenhuma entrega corresponde aos filtros.',
    next: 'Entregas mais antigas',
    states: {
      pending: 'Pendente',
      retrying: 'A repetir',
      succeeded: 'Entregue',
      failed: 'Falhou',
      skipped: 'Não enviada',
    },
    about: {
      pending: 'A primeira tentativa está prestes a ser feita.',
      retrying:
        'A última tentativa falhou. Tentamos de novo automaticamente, mas também pode escolher “Tentar já”.',
      refused:
        'O endpoint recusou o evento. Continuamos a tentar, mas o evento só chega depois de a equipa responsável pelo endpoint corrigir o problema.',
      succeeded: 'O endpoint aceitou o evento.',
      failed:
        'Todas as tentativas falharam. Corrija o endpoint e depois reenvie esta entrega. Para reenviar todos os eventos em falta, abra a página do endpoint.',
      skipped:
        'O endpoint estava desativado. Ative o endpoint e depois reenvie esta entrega. Para reenviar todos os eventos em falta, abra a página do endpoint.',
    },
    inQueue: 'A entrega espera até o seu software ler a fila.',
    fromQueue: 'O seu software leu o evento da fila.',
    paused: (until) => `O endpoint está em pausa até ${until}. A entrega espera.`,
    stopped:
      'O endpoint está desativado, por isso não há mais tentativas. Se não ativar o endpoint dentro de poucos minutos, esta entrega termina como “Não enviada”.',
    of: (made, most) => `${made} de ${most}`,
    dueNow: 'agora',
    overdue: (since) => `em atraso desde ${since}`,
    removed: 'eliminado',
    retry: 'Tentar já',
    uses: (number, most) => `Será feita a tentativa ${number} de ${most}.`,
    lastAttempt: {
      question:
        'Esta é a última tentativa. Se a tentativa falhar, a entrega termina como “Falhou”, mas ainda pode ser reenviada. Fazer a tentativa já?',
      keep: 'Agora não',
    },
    resend: 'Reenviar',
    attempts: 'Tentativas',
    noAttempts: 'Ainda não houve tentativas.',
    attempt: (number) => `Tentativa ${number}`,
    answered: (status) => `respondeu ${status}`,
    unanswered: 'sem resposta',
    took: 'demorou',
    sentTo: 'Endpoint',
    answer: 'Resposta',
    cut: '… truncado',
    headers: 'Cabeçalhos do pedido',
    headersText: 'A assinatura mostrada usa os segredos que ainda são válidos.',
    nothingSent: 'Não foi enviado nada, porque não foi possível estabelecer ligação.',
    body: 'Corpo',
    bodyGone: 'O conteúdo do evento já foi eliminado.',
    bodyHidden:
      'Este link não mostra o evento nem a resposta, porque a chave de API com que o link foi criado não tem permissão para ler esses dados.',
    bodyLong: 'Só é mostrado o início do corpo.',
    curl: 'Enviar manualmente',
    curlText:
      'Este comando usa a assinatura da última tentativa. Os recetores recusam uma assinatura ao fim de cinco minutos. Para obter uma nova assinatura, faça uma nova tentativa ou reenvie a entrega.',
    curlUnsigned: 'Ainda não foi enviado nada, por isso não há assinatura.',
    curlLong: 'O corpo é demasiado longo para um comando. Guarde primeiro o corpo como body.json.',
  },
});
