import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import { words } from '../../language/language.ts';

export const REACH_WORDS = words({
  en: {
    none: 'Not sent: when this event happened, no webhook endpoint was subscribed to it.',
    /** `{receiver}`, `{event}`, `{when}` and `{why}` are placeholders. */
    reached: 'Delivered to {receiver}: the latest event, “{event}”, was received {when}.',
    first: 'Sending “{event}” to {receiver}.',
    again: 'Couldn’t deliver “{event}” to {receiver} ({why}). Retrying {when}.',
    refused:
      '{receiver} does not accept events ({why}), so “{event}” has not arrived. We’ll retry {when}, but the team responsible for that system needs to fix the problem.',
    failed:
      'All six attempts to deliver “{event}” to {receiver} failed ({why}). Fix the endpoint, then resend the event.',
    off: '“{event}” was not sent to {receiver}, because the endpoint is disabled. Enable the endpoint, then resend the event.',
    missed:
      '“{event}” was not sent to {receiver}, because the endpoint was disabled or the clinic’s subscription was cancelled. Resend the event.',
    show: 'View delivery',
    endpoint: 'View endpoint',
    statuses: {
      pending: 'Pending',
      retrying: 'Retrying',
      succeeded: 'Delivered',
      failed: 'Failed',
      skipped: 'Not sent',
    } satisfies Record<DeliveryStatus, string>,
    unknown: 'it failed',
  },
  pt: {
    none: 'O evento não foi enviado: quando o evento aconteceu, nenhum endpoint de webhook subscrevia este tipo de evento.',
    reached: 'Entregue a {receiver}: o evento mais recente, “{event}”, foi recebido {when}.',
    first: 'A enviar “{event}” para {receiver}.',
    again: 'Não foi possível entregar “{event}” a {receiver} ({why}). Nova tentativa {when}.',
    refused:
      '{receiver} não aceita eventos ({why}), por isso “{event}” não chegou. Voltamos a tentar {when}, mas a equipa responsável por esse sistema tem de corrigir o problema.',
    failed:
      'Falharam as seis tentativas de entregar “{event}” a {receiver} ({why}). Corrija o endpoint e depois reenvie o evento.',
    off: '“{event}” não foi enviado para {receiver}, porque o endpoint está desativado. Ative o endpoint e depois reenvie o evento.',
    missed:
      '“{event}” não foi enviado para {receiver}, porque o endpoint estava desativado ou a subscrição da clínica estava cancelada. Reenvie o evento.',
    show: 'Ver a entrega',
    endpoint: 'Ver o endpoint',
    statuses: {
      pending: 'Pendente',
      retrying: 'A repetir',
      succeeded: 'Entregue',
      failed: 'Falhou',
      skipped: 'Não enviada',
    },
    unknown: 'falhou',
  },
});
