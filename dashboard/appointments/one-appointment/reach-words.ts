import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import { words } from '../../language/language.ts';

export const REACH_WORDS = words({
  en: {
    none: 'Not sent: no webhook endpoint was subscribed to this event at the time.',
    /** `{receiver}`, `{event}`, `{when}` and `{why}` are put in. */
    reached: 'Delivered to {receiver}: the latest event, “{event}”, arrived {when}.',
    first: 'Sending “{event}” to {receiver}.',
    again: 'Couldn’t deliver “{event}” to {receiver} ({why}). Retrying {when}.',
    failed:
      '“{event}” could not be delivered to {receiver} in six attempts ({why}). Fix the endpoint, then resend.',
    off: '“{event}” was not sent to {receiver}, because the endpoint is disabled. Enable it, then resend.',
    missed:
      '“{event}” was not sent to {receiver}, because the endpoint was disabled or the clinic’s subscription was cancelled. Resend it.',
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
    none: 'Não foi enviado: nenhum endpoint de webhook subscrevia este evento.',
    reached: 'Entregue a {receiver}: o evento mais recente, “{event}”, chegou {when}.',
    first: 'A enviar “{event}” a {receiver}.',
    again: 'Não foi possível entregar “{event}” a {receiver} ({why}). Nova tentativa {when}.',
    failed:
      'Não foi possível entregar “{event}” a {receiver} em seis tentativas ({why}). Corrija o endpoint e reenvie.',
    off: '“{event}” não foi enviado a {receiver}, porque o endpoint está desativado. Ative-o e reenvie.',
    missed:
      '“{event}” não foi enviado a {receiver}, porque o endpoint estava desativado ou a subscrição da clínica estava cancelada. Reenvie-o.',
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
