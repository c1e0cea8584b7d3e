import type { NameOf } from '../edits/form-fields.ts';
import { words } from '../language/language.ts';
import type { ShownOfBooking } from './booking-form.ts';

export const BOOKING_SETTINGS_WORDS = words({
  en: {
    title: 'Booking by patients',
    text: 'Where patients book by themselves, at the times that are offered as free.',
    fields: {
      publicSlug: 'Name of the public booking page',
      publicBookingEnabled: 'Patients may book by themselves',
    } satisfies Record<NameOf<ShownOfBooking>, string>,
    hints: {
      publicSlug: 'Lower-case letters and digits, with single hyphens between. Empty: there is none.',
    } satisfies Record<'publicSlug', string>,
    wrong: {
      publicSlug: 'Only lower-case letters and digits, with single hyphens between, at most 63.',
    } satisfies Record<'publicSlug', string>,
    /** Of the name of the booking page. */
    taken: 'Another clinic has this name.',
  },
  pt: {
    title: 'Marcações pelos pacientes',
    text: 'Onde os pacientes marcam sozinhos, nos horários que se oferecem como livres.',
    fields: {
      publicSlug: 'Nome da página pública de marcações',
      publicBookingEnabled: 'Os pacientes podem marcar sozinhos',
    },
    hints: {
      publicSlug: 'Letras minúsculas e algarismos, com hífenes simples pelo meio. Vazio: não há.',
    },
    wrong: { publicSlug: 'Só letras minúsculas e algarismos, com hífenes simples pelo meio, no máximo 63.' },
    taken: 'Outra clínica tem este nome.',
  },
});
