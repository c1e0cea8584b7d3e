import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import { words } from '../../language/language.ts';

export const REACH_WORDS = words({
  en: {
    nobody: 'Nobody was told: when this happened, no webhook endpoint wanted to hear of it.',
    /** `{receiver}`, `{event}`, `{when}` and `{why}` are put in. */
    reached: 'Yes, it has reached {receiver}: the last news, “{event}”, arrived {when}.',
    first: 'Not yet: “{event}” is on its way to {receiver}. It is our turn; you need do nothing.',
    again:
      'Not yet: {receiver} has not taken “{event}” ({why}). It is our turn: we try again {when}. You need do nothing.',
    failed:
      'No: {receiver} did not take “{event}” in six attempts ({why}). It is their turn: when they have mended it, send it again.',
    off: 'No: “{event}” was not sent, because the endpoint at {receiver} is switched off. It is your turn: enable it, then send what was missed.',
    missed:
      'No: “{event}” was not sent, because the endpoint at {receiver} was switched off then, or the clinic was canceled. It is your turn: send what was missed.',
    show: 'Show the delivery',
    endpoint: 'Show the endpoint',
    statuses: {
      pending: 'On its way',
      retrying: 'Trying again',
      succeeded: 'Arrived',
      failed: 'Given up',
      skipped: 'Not sent',
    } satisfies Record<DeliveryStatus, string>,
    unknown: 'it failed',
  },
  pt: {
    nobody: 'Ninguém foi avisado: quando isto aconteceu, nenhum endpoint de webhook recebia este evento.',
    reached: 'Sim, chegou a {receiver}: a última novidade, “{event}”, foi entregue {when}.',
    first: 'Ainda não: “{event}” vai a caminho de {receiver}. Agora é connosco; não precisa de fazer nada.',
    again:
      'Ainda não: {receiver} não aceitou “{event}” ({why}). Agora é connosco: tentamos de novo {when}. Não precisa de fazer nada.',
    failed:
      'Não: {receiver} não aceitou “{event}” em seis tentativas ({why}). Agora é com eles: quando estiver resolvido, envie de novo.',
    off: 'Não: “{event}” não foi enviado, porque o endpoint em {receiver} está desligado. Agora é consigo: ligue-o e envie o que faltou.',
    missed:
      'Não: “{event}” não foi enviado, porque o endpoint em {receiver} estava desligado nessa altura, ou a clínica estava cancelada. Agora é consigo: envie o que faltou.',
    show: 'Ver a entrega',
    endpoint: 'Ver o endpoint',
    statuses: {
      pending: 'A caminho',
      retrying: 'A tentar de novo',
      succeeded: 'Entregue',
      failed: 'Sem sucesso',
      skipped: 'Não enviada',
    },
    unknown: 'falhou',
  },
});
