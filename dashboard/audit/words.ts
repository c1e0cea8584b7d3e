import type { AuditAction } from '../../domain/audit-action.ts';
import type { Words } from '../language/language.ts';

interface AuditWords {
  heads: { when: string; who: string; what: string; details: string };
  none: string;
  next: string;
  intro: string;
  /** Of what has a page, but no name. */
  show: string;
  more: {
    deliveries: (shown: string) => string;
    found: (shown: string) => string;
    sessions: (shown: string) => string;
    /** Why the identity provider ended a session. */
    reasons: Readonly<Record<string, string>>;
    /** What support looked at. */
    kinds: Readonly<Record<string, string>>;
  };
  actions: Record<AuditAction, string>;
}

export const AUDIT_WORDS: Words<AuditWords> = {
  en: {
    intro:
      'Who changed what in this clinic, or took something out. Nobody can change or remove these entries.',
    heads: { when: 'When', who: 'Who', what: 'What', details: 'Of what' },
    none: 'Nothing has been done yet.',
    next: 'Earlier entries',
    show: 'Show it',
    more: {
      deliveries: (shown) => `${shown} deliveries`,
      found: (shown) => `${shown} found`,
      sessions: (shown) => `sessions: ${shown}`,
      reasons: {
        role_changed: 'role or clinic changed there',
        refused: 'no longer signed in there',
        unconfirmed: 'it did not answer for an hour',
      },
      kinds: {
        appointment: 'an appointment',
        call: 'a call',
        delivery: 'a delivery',
        endpoint: 'an endpoint',
        event: 'an event',
        key: 'a key',
        request: 'a request',
        tenant: 'the clinic',
      },
    },
    actions: {
      'tenant.created': 'made the clinic',
      'tenant.updated': 'changed the settings',
      'tenant.exported': 'took out all data of the clinic',
      'tenant.erased': 'erased the clinic',
      'api_key.created': 'made an API key',
      'api_key.revoked': 'revoked an API key',
      'api_key.rolled': 'put a new API key in place of one',
      'professional.created': 'added a professional',
      'professional.updated': 'changed a professional',
      'service.created': 'added a service',
      'service.updated': 'changed a service',
      'busy_block.created': 'blocked time',
      'busy_block.updated': 'changed blocked time',
      'busy_block.deleted': 'took blocked time away',
      'endpoint.created': 'added a webhook endpoint',
      'endpoint.updated': 'changed a webhook endpoint',
      'endpoint.enabled': 'enabled a webhook endpoint',
      'endpoint.deactivated': 'switched off a webhook endpoint',
      'endpoint.deleted': 'deleted a webhook endpoint',
      'endpoint.secret_rotated': 'changed the secret of a webhook endpoint',
      'endpoint.tested': 'sent a test to a webhook endpoint',
      'endpoint.replayed': 'sent missed events again',
      'endpoint.retried': 'tried all waiting deliveries at once',
      'delivery.resent': 'sent a delivery again',
      'delivery.retried': 'tried a delivery at once',
      'call.called_back': 'called somebody back',
      'call.call_back_reopened': 'put a call back on the list again',
      'recording.link_issued': 'opened the recording of a call',
      'recording.replaced': 'replaced the recording of a call',
      'recording.erased': 'erased the recording of a call',
      'list.exported': 'downloaded a list',
      'patient.looked_up': 'looked for a patient',
      'patient.exported': 'took out the data of a patient',
      'patient.erased': 'erased a patient',
      'secrets.reencrypted': 'encrypted the secrets anew',
      'work.reconciled': 'put right what was left undone',
      'outbox.removed': 'let go of a task that could not be carried out',
      'person.signed_in': 'signed in',
      'person.signed_out_everywhere': 'signed out on all devices',
      'person.blocked': 'kept a person out',
      'person.unblocked': 'let a person in again',
      'session.ended': 'ended sessions',
      'portal_link.created': 'made a portal link',
      'portal_link.opened': 'opened a portal link',
      'support.viewed': 'looked at this clinic from the support desk',
      'support.patient_viewed': 'looked at a patient’s data from the support desk',
    },
  },
  pt: {
    intro:
      'Quem alterou o quê nesta clínica, ou levou dados. Ninguém pode alterar nem remover estas entradas.',
    heads: { when: 'Quando', who: 'Quem', what: 'O quê', details: 'De quê' },
    none: 'Ainda não foi feito nada.',
    next: 'Entradas anteriores',
    show: 'Mostrar',
    more: {
      deliveries: (shown) => `${shown} entregas`,
      found: (shown) => `${shown} encontrados`,
      sessions: (shown) => `sessões: ${shown}`,
      reasons: {
        role_changed: 'a função ou a clínica mudou lá',
        refused: 'já não tem sessão iniciada lá',
        unconfirmed: 'não respondeu durante uma hora',
      },
      kinds: {
        appointment: 'uma marcação',
        call: 'uma chamada',
        delivery: 'uma entrega',
        endpoint: 'um endpoint',
        event: 'um evento',
        key: 'uma chave',
        request: 'um pedido',
        tenant: 'a clínica',
      },
    },
    actions: {
      'tenant.created': 'criou a clínica',
      'tenant.updated': 'alterou as definições',
      'tenant.exported': 'exportou todos os dados da clínica',
      'tenant.erased': 'apagou a clínica',
      'api_key.created': 'criou uma chave de API',
      'api_key.revoked': 'revogou uma chave de API',
      'api_key.rolled': 'substituiu uma chave de API',
      'professional.created': 'adicionou um profissional',
      'professional.updated': 'alterou um profissional',
      'service.created': 'adicionou um serviço',
      'service.updated': 'alterou um serviço',
      'busy_block.created': 'bloqueou tempo',
      'busy_block.updated': 'alterou um bloqueio de tempo',
      'busy_block.deleted': 'eliminou um bloqueio de tempo',
      'endpoint.created': 'adicionou um endpoint de webhook',
      'endpoint.updated': 'alterou um endpoint de webhook',
      'endpoint.enabled': 'ligou um endpoint de webhook',
      'endpoint.deactivated': 'desligou um endpoint de webhook',
      'endpoint.deleted': 'eliminou um endpoint de webhook',
      'endpoint.secret_rotated': 'mudou o segredo de um endpoint de webhook',
      'endpoint.tested': 'enviou um teste a um endpoint de webhook',
      'endpoint.replayed': 'reenviou os eventos que faltaram',
      'endpoint.retried': 'tentou já todas as entregas à espera',
      'delivery.resent': 'reenviou uma entrega',
      'delivery.retried': 'tentou já uma entrega',
      'call.called_back': 'ligou de volta a alguém',
      'call.call_back_reopened': 'voltou a pôr uma chamada por devolver',
      'recording.link_issued': 'abriu a gravação de uma chamada',
      'recording.replaced': 'substituiu a gravação de uma chamada',
      'recording.erased': 'apagou a gravação de uma chamada',
      'list.exported': 'descarregou uma lista',
      'patient.looked_up': 'procurou um paciente',
      'patient.exported': 'exportou os dados de um paciente',
      'patient.erased': 'apagou um paciente',
      'secrets.reencrypted': 'voltou a cifrar os segredos',
      'work.reconciled': 'repôs o que tinha ficado por fazer',
      'outbox.removed': 'retirou uma tarefa que não podia ser executada',
      'person.signed_in': 'iniciou sessão',
      'person.signed_out_everywhere': 'terminou sessão em todos os dispositivos',
      'person.blocked': 'bloqueou o acesso de uma pessoa',
      'person.unblocked': 'voltou a permitir o acesso de uma pessoa',
      'session.ended': 'terminou sessões',
      'portal_link.created': 'criou uma ligação ao portal',
      'portal_link.opened': 'abriu uma ligação ao portal',
      'support.viewed': 'consultou esta clínica a partir do apoio técnico',
      'support.patient_viewed': 'consultou dados de um paciente a partir do apoio técnico',
    },
  },
};
