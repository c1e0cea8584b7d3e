import type { NameOf } from '../edits/form-fields.ts';
import { words } from '../language/language.ts';
import type { AddressProblem, ShownOfBooking } from './booking-form.ts';

type Hinted = Exclude<NameOf<ShownOfBooking>, 'publicBookingEnabled'>;

export const BOOKING_SETTINGS_WORDS = words({
  en: {
    title: 'Online booking',
    text: 'Let patients book your free times online.',
    state: {
      off: 'Online booking is off.',
      noAddress: 'Patients can’t book online yet: the booking page has no address.',
      on: 'Patients can book online. Put this address on your website:',
      open: 'Open the booking page',
    },
    fields: {
      publicBookingEnabled: 'Allow online booking',
      publicSlug: 'Booking page address',
      minNoticeMinutes: 'Shortest notice (minutes)',
      maxDaysAhead: 'Days ahead',
      serviceTypeIds: 'Services that patients can book',
    } satisfies Record<NameOf<ShownOfBooking>, string>,
    hints: {
      publicSlug:
        'The part of the address after /book/, for example clinica-da-luz. Use lower-case letters, digits and single hyphens.',
      minNoticeMinutes: 'How long before its start an appointment can still be booked.',
      maxDaysAhead: 'How many days from today the page offers.',
      serviceTypeIds: 'If patients can book every active service, leave all boxes unticked.',
    } satisfies Record<Hinted, string>,
    wrong: {
      publicSlug: 'Use only lower-case letters, digits and single hyphens, at most 63 characters.',
      minNoticeMinutes: 'Enter a whole number of minutes, from 0 to 43200.',
      maxDaysAhead: 'Enter a whole number of days, from 1 to 365.',
      serviceTypeIds: 'Choose services of this clinic.',
    } satisfies Record<Hinted, string>,
    /** Of the address of the booking page. */
    problems: {
      taken: 'Another clinic already uses this address. Choose another.',
      missing: 'Choose an address for the booking page, for example clinica-da-luz.',
    } satisfies Record<AddressProblem, string>,
  },
  pt: {
    title: 'Marcações online',
    text: 'Permita que os pacientes façam marcações online nos horários livres da clínica.',
    state: {
      off: 'As marcações online estão desativadas.',
      noAddress: 'Os pacientes ainda não podem marcar online: a página de marcações não tem endereço.',
      on: 'Os pacientes podem marcar online. Coloque este endereço no seu site:',
      open: 'Abrir a página de marcações',
    },
    fields: {
      publicBookingEnabled: 'Permitir marcações online',
      publicSlug: 'Endereço da página de marcações',
      minNoticeMinutes: 'Antecedência mínima (minutos)',
      maxDaysAhead: 'Dias de antecedência',
      serviceTypeIds: 'Serviços que os pacientes podem marcar',
    },
    hints: {
      publicSlug:
        'A parte do endereço a seguir a /book/, por exemplo clinica-da-luz. Use letras minúsculas, algarismos e hífenes simples.',
      minNoticeMinutes: 'Até quanto tempo antes do início da consulta se pode marcar.',
      maxDaysAhead: 'Quantos dias, a partir de hoje, a página mostra.',
      serviceTypeIds: 'Se os pacientes podem marcar todos os serviços ativos, não assinale nenhum.',
    },
    wrong: {
      publicSlug: 'Use só letras minúsculas, algarismos e hífenes simples, no máximo 63 caracteres.',
      minNoticeMinutes: 'Escreva um número inteiro de minutos, de 0 a 43200.',
      maxDaysAhead: 'Escreva um número inteiro de dias, de 1 a 365.',
      serviceTypeIds: 'Escolha serviços desta clínica.',
    },
    problems: {
      taken: 'Outra clínica já usa este endereço. Escolha outro endereço.',
      missing: 'Escolha um endereço para a página de marcações, por exemplo clinica-da-luz.',
    },
  },
});
