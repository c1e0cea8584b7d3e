import type { ErrorCode } from '../../domain/error-codes.ts';
import { words } from '../language/language.ts';
import type { Forbidden } from '../serving/page-error.ts';

/** What can go wrong in the dashboard; other codes are of the API alone and read as `internal_error`. */
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
  | 'endpoint_limit_reached'
  | 'endpoint_exists'
  | 'key_limit_reached'
  | 'clinic_limit_reached'
  | 'delivery_final'
  | 'delivery_open'
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
    back: 'To the first page',
    forbidden: {
      role: 'Your role may not see this page.',
      link: 'The key that made this link may not do this. Ask whoever gave you the link.',
      form: 'This form is not one of this session any more. Load the page again.',
    } satisfies Record<Forbidden, string>,
    codes: {
      malformed_request: 'This request cannot be read.',
      unsupported_media_type: 'This request cannot be read.',
      not_found: 'There is no such page, or no such thing in your clinic.',
      method_not_allowed: 'This address cannot be used like that.',
      slot_conflict: 'That time is taken.',
      outside_hours: 'Nobody works at that time.',
      already_booked: 'The patient has this very appointment already.',
      invalid_status_transition: 'The appointment cannot take this status from the one it has.',
      appointment_rescheduled: 'The appointment was moved; change the one that took its place.',
      external_id_conflict: 'Another appointment has this external id.',
      public_slug_taken: 'Another clinic has this address.',
      clinic_inactive: 'The clinic is canceled: nothing is sent to it.',
      endpoint_deactivated: 'The endpoint is switched off. Enable it first.',
      endpoint_limit_reached: 'A clinic may have at most ten endpoints.',
      endpoint_exists: 'An endpoint has this URL and these events already.',
      clinic_limit_reached:
        'The clinic has stored as much as it may. Ask the operator of the service for a higher limit.',
      key_limit_reached: 'A clinic may have at most 200 keys. Revoke one that is not needed.',
      delivery_final: 'The delivery is over already.',
      delivery_open: 'The delivery is still under way.',
      payload_too_large: 'The form holds too much.',
      validation_failed: 'Something in the form is not right.',
      starts_in_past: 'That time is past.',
      service_not_offered: 'This professional does not offer this service.',
      professional_inactive: 'This professional takes no new bookings any more.',
      rate_limited: 'There were too many requests in a short time. Wait a while, then try again.',
      internal_error: 'Something went wrong on our side.',
      temporarily_unavailable: 'The service cannot answer now. Try again shortly.',
    } satisfies Record<Known, string>,
  },
  pt: {
    request: 'Pedido',
    back: 'Para a primeira página',
    forbidden: {
      role: 'A sua função não permite ver esta página.',
      link: 'A chave que criou esta ligação não permite isto. Fale com quem lhe deu a ligação.',
      form: 'Este formulário já não pertence a esta sessão. Carregue a página de novo.',
    },
    codes: {
      malformed_request: 'Não é possível ler este pedido.',
      unsupported_media_type: 'Não é possível ler este pedido.',
      not_found: 'Esta página não existe, ou não existe na sua clínica.',
      method_not_allowed: 'Este endereço não pode ser usado assim.',
      slot_conflict: 'Esse horário está ocupado.',
      outside_hours: 'Ninguém trabalha a essa hora.',
      already_booked: 'O paciente já tem esta mesma consulta.',
      invalid_status_transition: 'A marcação não pode passar do estado atual para este.',
      appointment_rescheduled: 'A marcação foi remarcada; altere a que a substituiu.',
      external_id_conflict: 'Outra marcação tem este identificador externo.',
      public_slug_taken: 'Outra clínica tem este endereço.',
      clinic_inactive: 'A clínica está cancelada: nada lhe é enviado.',
      endpoint_deactivated: 'O endpoint está desligado. Ligue-o primeiro.',
      endpoint_limit_reached: 'Uma clínica pode ter no máximo dez endpoints.',
      endpoint_exists: 'Já há um endpoint com este URL e estes eventos.',
      clinic_limit_reached:
        'A clínica já guarda tudo o que pode. Peça um limite mais alto ao operador do serviço.',
      key_limit_reached: 'Uma clínica pode ter no máximo 200 chaves. Revogue uma que não seja precisa.',
      delivery_final: 'A entrega já terminou.',
      delivery_open: 'A entrega ainda está em curso.',
      payload_too_large: 'O formulário tem dados a mais.',
      validation_failed: 'Há algo no formulário que não está certo.',
      starts_in_past: 'Essa hora já passou.',
      service_not_offered: 'Este profissional não presta este serviço.',
      professional_inactive: 'Este profissional já não aceita novas marcações.',
      rate_limited: 'Houve demasiados pedidos em pouco tempo. Aguarde um pouco e tente de novo.',
      internal_error: 'Algo correu mal do nosso lado.',
      temporarily_unavailable: 'O serviço não consegue responder agora. Tente de novo dentro de momentos.',
    },
  },
});

type ErrorWords = (typeof ERROR_WORDS)['en'];

/** What went wrong, in the reader's language. */
export function errorText(words: ErrorWords, code: ErrorCode): string {
  return code in words.codes ? words.codes[code as Known] : words.codes.internal_error;
}
