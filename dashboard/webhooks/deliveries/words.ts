import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import { words } from '../../language/language.ts';

export const DELIVERY_WORDS = words({
  en: {
    heads: {
      event: 'Event',
      endpoint: 'Endpoint',
      state: 'State',
      attempts: 'Attempts',
      next: 'Next attempt',
      created: 'Created',
      appointment: 'Appointment',
      eventId: 'Id of the event',
      resendOf: 'Repeats',
    },
    none: 'Nothing has been sent yet. As soon as something happens in the clinic, or you send a test event, it stands here.',
    noneFound: 'No delivery is like that.',
    next: 'Older deliveries',
    states: {
      pending: 'On its way',
      retrying: 'Will be tried again',
      succeeded: 'Delivered',
      failed: 'Given up',
      skipped: 'Not sent',
    } satisfies Record<DeliveryStatus, string>,
    /** Whose turn it is. */
    about: {
      pending: 'The first attempt is made any moment.',
      retrying:
        'The last attempt failed; we try again by ourselves. Once the receiver works you can hurry it.',
      succeeded: 'The receiver has accepted it.',
      failed:
        'All attempts failed. Mend the receiver, then resend it, or send everything that was missed on the endpoint’s page.',
      skipped:
        'The endpoint was off. Enable it, then resend this one, or send everything that was missed on the endpoint’s page.',
    } satisfies Record<DeliveryStatus, string>,
    stopped:
      'The endpoint is off, so no attempt is made. The delivery ends as “Not sent” within minutes, unless you enable the endpoint before.',
    of: (made: string, most: string) => `${made} of ${most}`,
    dueNow: 'now',
    removed: 'deleted',
    retry: 'Retry now',
    uses: (number: string, most: string) => `Uses attempt ${number} of ${most}.`,
    lastAttempt:
      'This is the last attempt. If it fails, the delivery is given up; you can then resend it. Make the attempt now?',
    resend: 'Resend',
    attempts: 'Attempts',
    noAttempts: 'No attempt has been made yet.',
    attempt: (number: string) => `Attempt ${number}`,
    answered: (status: number) => `answered ${status}`,
    unanswered: 'no answer',
    took: 'took',
    sentTo: 'Made for',
    answer: 'What the receiver answered',
    cut: '… and more',
    headers: 'Headers that were sent',
    headersText: 'Signed with those of the secrets that are still valid.',
    nothingSent: 'Nothing was sent, for want of a connection.',
    body: 'Body',
    bodyGone: 'What the event said is no longer kept.',
    bodyHidden:
      'What the event says, and what the receiver answered, is not shown by this link: the key that made it may not read it.',
    bodyLong: 'It is long; this is its beginning.',
    curl: 'Send it yourself',
    curlText:
      'With the signature of the last attempt. Receivers refuse a signature after five minutes: then retry or resend for a new one.',
    curlUnsigned: 'Nothing has been sent yet, so there is no signature to go with it.',
    curlLong: 'Save the body as body.json first; it is too long for a command.',
    copy: 'Copy',
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
      eventId: 'Identificador do evento',
      resendOf: 'Repete',
    },
    none: 'Ainda nada foi enviado. Assim que algo acontecer na clínica, ou enviar um evento de teste, aparece aqui.',
    noneFound: 'Não há entregas assim.',
    next: 'Entregas mais antigas',
    states: {
      pending: 'A caminho',
      retrying: 'Será repetida',
      succeeded: 'Entregue',
      failed: 'Sem sucesso',
      skipped: 'Não enviada',
    },
    about: {
      pending: 'A primeira tentativa é feita a qualquer momento.',
      retrying: 'A última tentativa falhou; voltamos a tentar. Quando o recetor funcionar, pode apressá-la.',
      succeeded: 'O recetor aceitou-a.',
      failed:
        'Todas as tentativas falharam. Corrija o recetor e reenvie-a, ou envie tudo o que faltou na página do endpoint.',
      skipped:
        'O endpoint estava desligado. Ligue-o e reenvie esta, ou envie tudo o que faltou na página do endpoint.',
    },
    stopped:
      'O endpoint está desligado, por isso não há mais tentativas. A entrega termina como “Não enviada” dentro de minutos, a não ser que ligue o endpoint antes.',
    of: (made, most) => `${made} de ${most}`,
    dueNow: 'agora',
    removed: 'eliminado',
    retry: 'Tentar agora',
    uses: (number, most) => `Usa a tentativa ${number} de ${most}.`,
    lastAttempt:
      'Esta é a última tentativa. Se falhar, desiste-se da entrega; depois pode reenviá-la. Fazer a tentativa agora?',
    resend: 'Reenviar',
    attempts: 'Tentativas',
    noAttempts: 'Ainda não houve tentativas.',
    attempt: (number) => `Tentativa ${number}`,
    answered: (status) => `respondeu ${status}`,
    unanswered: 'sem resposta',
    took: 'demorou',
    sentTo: 'Feita para',
    answer: 'O que o recetor respondeu',
    cut: '… e mais',
    headers: 'Cabeçalhos enviados',
    headersText: 'Assinados com os segredos que ainda são válidos.',
    nothingSent: 'Nada foi enviado, por falta de ligação.',
    body: 'Corpo',
    bodyGone: 'O conteúdo do evento já não está guardado.',
    bodyHidden:
      'O conteúdo do evento e a resposta do recetor não são mostrados por esta ligação: a chave que a criou não os pode ler.',
    bodyLong: 'É longo; este é o início.',
    curl: 'Envie-o você mesmo',
    curlText:
      'Com a assinatura da última tentativa. Os recetores recusam uma assinatura ao fim de cinco minutos: tente de novo ou reenvie para ter uma nova.',
    curlUnsigned: 'Ainda nada foi enviado, por isso não há assinatura.',
    curlLong: 'Guarde primeiro o corpo como body.json; é longo demais para um comando.',
    copy: 'Copiar',
  },
});
