import type { NameOf } from '../edits/form-fields.ts';
import { words } from '../language/language.ts';
import type { ShownOfBooking } from './booking-form.ts';

export const BOOKING_SETTINGS_WORDS = words({
  en: {
    title: 'Online booking',
    text: 'Let patients book your free times online.',
    fields: {
      publicSlug: 'Booking page address',
      publicBookingEnabled: 'Allow online booking',
    } satisfies Record<NameOf<ShownOfBooking>, string>,
    hints: {
      publicSlug:
        'The part of the address after /book/. Use lower-case letters, digits and single hyphens. Leave blank if you don’t want a booking page.',
    } satisfies Record<'publicSlug', string>,
    wrong: {
      publicSlug: 'Use only lower-case letters, digits and single hyphens, at most 63 characters.',
    } satisfies Record<'publicSlug', string>,
    /** When another clinic uses the address of the booking page. */
    taken: 'Another clinic already uses this address. Choose another.',
  },
  pt: {
    title: 'Marcações online',
    text: 'Permita que os pacientes façam marcações online nos horários livres da clínica.',
    fields: {
      publicSlug: 'Endereço da página de marcações',
      publicBookingEnabled: 'Permitir marcações online',
    },
    hints: {
      publicSlug:
        'A parte do endereço a seguir a /book/. Use letras minúsculas, algarismos e hífenes simples. Se não quiser uma página de marcações, deixe em branco.',
    },
    wrong: { publicSlug: 'Use só letras minúsculas, algarismos e hífenes simples, no máximo 63 caracteres.' },
    taken: 'Outra clínica já usa este endereço. Escolha outro endereço.',
  },
});
