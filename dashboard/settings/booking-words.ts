import type { NameOf } from '../edits/form-fields.ts';
import { words } from '../language/language.ts';
import type { ShownOfBooking } from './booking-form.ts';

export const BOOKING_SETTINGS_WORDS = words({
  en: {
    title: 'Online booking',
    text: 'Let patients book online during your free times.',
    fields: {
      publicSlug: 'Booking page address',
      publicBookingEnabled: 'Allow online booking',
    } satisfies Record<NameOf<ShownOfBooking>, string>,
    hints: {
      publicSlug:
        'The last part of the address: /book/… Use lower-case letters, digits and single hyphens. Leave blank for no booking page.',
    } satisfies Record<'publicSlug', string>,
    wrong: {
      publicSlug: 'Use only lower-case letters, digits and single hyphens, at most 63 characters.',
    } satisfies Record<'publicSlug', string>,
    /** Of the name of the booking page. */
    taken: 'Another clinic already uses this address. Choose another.',
  },
  pt: {
    title: 'Marcações online',
    text: 'Permita que os pacientes marquem online nos horários livres da clínica.',
    fields: {
      publicSlug: 'Endereço da página de marcações',
      publicBookingEnabled: 'Permitir marcações online',
    },
    hints: {
      publicSlug:
        'A última parte do endereço: /book/… Use letras minúsculas, algarismos e hífenes simples. Deixe em branco para não ter página de marcações.',
    },
    wrong: { publicSlug: 'Use só letras minúsculas, algarismos e hífenes simples, no máximo 63 caracteres.' },
    taken: 'Outra clínica já usa este endereço. Escolha outro.',
  },
});
