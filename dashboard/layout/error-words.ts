import type { ErrorCode } from '../../domain/error-codes.ts';
import { words } from '../language/language.ts';
import type { Forbidden } from '../serving/page-error.ts';

/**
 * Error codes that the dashboard has a text for. Only the API returns the other codes; here they are shown as
 * `internal_error`.
 */
type Known = Extract<
  ErrorCode,
  | 'malformed_request'
  | 'unsupported_media_type'
  | 'not_found'
  | 'method_not_allowed'
  | 'slot_conflict'
  | 'outside_hours'
  | 'already_booked'
  | 'invalid_status_transition'
  | 'appointment_rescheduled'
  | 'external_id_conflict'
  | 'public_slug_taken'
  | 'clinic_inactive'
  | 'endpoint_deactivated'
  | 'endpoint_paused'
  | 'endpoint_limit_reached'
  | 'endpoint_exists'
  | 'key_limit_reached'
  | 'clinic_limit_reached'
  | 'delivery_final'
  | 'delivery_open'
  | 'idempotency_in_progress'
  | 'payload_too_large'
  | 'validation_failed'
  | 'starts_in_past'
  | 'service_not_offered'
  | 'professional_inactive'
  | 'rate_limited'
  | 'internal_error'
  | 'temporarily_unavailable'
>;

export const ERROR_WORDS = words({
  en: {
    request: 'Request',
    back: 'Go to overview',
    forbidden: {
      role: 'You don’t have access to this page.',
      link: 'You can’t do that with this link, because the API key that created the link doesn’t have the permission. Ask the person who gave you the link.',
      form: 'This form has expired. Reload the page and try again.',
    } satisfies Record<Forbidden, string>,
    codes: {
      malformed_request: 'We couldn’t read this request. Go back and try again.',
      unsupported_media_type: 'We couldn’t read this request. Go back and try again.',
      not_found: 'Page not found. It may have been removed, or the link is wrong.',
      method_not_allowed: 'That action isn’t available here.',
      slot_conflict: 'That time is taken. Choose another.',
      outside_hours: 'That time is outside opening hours. Choose another.',
      already_booked: 'This patient already has this appointment.',
      invalid_status_transition:
        'The appointment’s current status doesn’t allow that. Reload the page to see the latest status.',
      appointment_rescheduled: 'This appointment was rescheduled. Change the new appointment instead.',
      external_id_conflict: 'Another appointment already has this external ID.',
      public_slug_taken: 'Another clinic already uses this address. Choose another.',
      clinic_inactive: 'The clinic’s subscription is cancelled, so no events are sent to its endpoints.',
      endpoint_deactivated: 'The endpoint is disabled. Enable it first.',
      endpoint_paused: 'The endpoint is paused. Resume it first.',
      endpoint_limit_reached: 'A clinic can have at most ten endpoints. Delete one that you no longer use.',
      endpoint_exists: 'Another endpoint already has this URL and these events.',
      clinic_limit_reached: 'The clinic has reached its storage limit. Contact support for a higher limit.',
      key_limit_reached: 'A clinic can have at most 200 API keys. Revoke one that you no longer need.',
      delivery_final: 'This delivery has already ended. To try again, resend it.',
      delivery_open: 'This delivery is still in progress. Wait for it to end, or choose “Retry now”.',
      idempotency_in_progress:
        'This form was already sent and is still in progress. Wait a moment, then send it again.',
      payload_too_large: 'That’s too much text. Shorten it and try again.',
      validation_failed: 'Correct the marked fields.',
      starts_in_past: 'That time has passed. Choose a later one.',
      service_not_offered: 'This professional doesn’t offer this service. Choose another professional.',
      professional_inactive: 'This professional no longer takes bookings. Choose another professional.',
      rate_limited: 'We’re busy right now. Please try again in a minute.',
      internal_error:
        'Something went wrong on our side. Try again, or contact support with the request ID below.',
      temporarily_unavailable: 'The service is unavailable right now. Please try again in a minute.',
    } satisfies Record<Known, string>,
  },
  pt: {
    request: 'Pedido',
    back: 'Voltar ao resumo',
    forbidden: {
      role: 'Não tem acesso a esta página.',
      link: 'Não pode fazer isso com este link, porque a chave de API com que o link foi criado não tem a permissão necessária. Fale com quem lhe enviou o link.',
      form: 'Este formulário expirou. Recarregue a página e tente de novo.',
    },
    codes: {
      malformed_request: 'Não conseguimos ler este pedido. Volte atrás e tente de novo.',
      unsupported_media_type: 'Não conseguimos ler este pedido. Volte atrás e tente de novo.',
      not_found: 'Página não encontrada. Pode ter sido removida, ou o endereço está errado.',
      method_not_allowed: 'Essa ação não está disponível aqui.',
      slot_conflict: 'Esse horário está ocupado. Escolha outro.',
      outside_hours: 'Essa hora está fora do horário da clínica. Escolha outra hora.',
      already_booked: 'O paciente já tem esta marcação.',
      invalid_status_transition:
        'O estado atual da marcação não permite esta ação. Recarregue a página para ver o estado mais recente.',
      appointment_rescheduled: 'Esta marcação já foi remarcada. Faça as alterações na nova marcação.',
      external_id_conflict: 'Outra marcação já tem este ID externo.',
      public_slug_taken: 'Outra clínica já usa este endereço. Escolha outro endereço.',
      clinic_inactive:
        'A subscrição da clínica está cancelada, por isso não enviamos eventos para os endpoints da clínica.',
      endpoint_deactivated: 'O endpoint está desativado. Ative-o primeiro.',
      endpoint_paused: 'O endpoint está em pausa. Retome-o primeiro.',
      endpoint_limit_reached: 'Uma clínica pode ter no máximo dez endpoints. Elimine um que já não use.',
      endpoint_exists: 'Outro endpoint já tem este URL e estes eventos.',
      clinic_limit_reached:
        'A clínica atingiu o limite de armazenamento. Contacte o apoio técnico para aumentar o limite.',
      key_limit_reached:
        'Uma clínica pode ter no máximo 200 chaves de API. Revogue uma de que já não precise.',
      delivery_final: 'Esta entrega já terminou. Se quiser tentar de novo, reenvie a entrega.',
      delivery_open: 'Esta entrega ainda está em curso. Aguarde que termine ou escolha “Tentar já”.',
      idempotency_in_progress:
        'Este formulário já foi enviado e ainda está a ser processado. Aguarde um momento e envie-o de novo.',
      payload_too_large: 'O texto é demasiado longo. Encurte-o e tente de novo.',
      validation_failed: 'Corrija os campos assinalados.',
      starts_in_past: 'Essa hora já passou. Escolha uma hora posterior.',
      service_not_offered: 'Este profissional não presta este serviço. Escolha outro profissional.',
      professional_inactive: 'Este profissional já não aceita marcações. Escolha outro profissional.',
      rate_limited: 'Há demasiados pedidos neste momento. Tente de novo daqui a um minuto.',
      internal_error:
        'Algo correu mal do nosso lado. Tente de novo ou contacte o apoio técnico e indique o ID do pedido, que aparece em baixo.',
      temporarily_unavailable: 'O sistema está indisponível. Tente de novo daqui a um minuto.',
    },
  },
});

type ErrorWords = (typeof ERROR_WORDS)['en'];

/** The text for an error code in the reader's language. */
export function errorText(words: ErrorWords, code: ErrorCode): string {
  return code in words.codes ? words.codes[code as Known] : words.codes.internal_error;
}
