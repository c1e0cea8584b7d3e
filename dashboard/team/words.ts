import type { NameOf } from '../edits/form-fields.ts';
import { words } from '../language/language.ts';
import type { ShownOfProfessional } from './professional-form.ts';

type Field = NameOf<ShownOfProfessional>;

export const TEAM_WORDS = words({
  en: {
    add: 'New professional',
    none: 'No professionals yet. Add the people who see your patients.',
    next: 'More professionals',
    heads: { name: 'Name', specialty: 'Specialty', email: 'Email', state: 'Status' },
    active: 'Takes bookings',
    left: 'Takes no new bookings',
    save: 'Save',
    create: 'Add professional',
    fields: {
      name: 'Name',
      title: 'Title',
      specialty: 'Specialty',
      email: 'Email',
      bio: 'Bio (shown to patients)',
      photoUrl: 'Photo URL',
      active: 'Takes new bookings',
    } satisfies Record<Field, string>,
    hints: {
      title: 'For example Dr.',
      photoUrl: 'Begins with https://',
      active: 'Existing appointments stay booked in either case.',
    } satisfies Record<'title' | 'photoUrl' | 'active', string>,
    wrong: {
      name: 'Enter a name of 1 to 200 characters.',
      title: 'Enter at most 50 characters.',
      specialty: 'Enter a specialty of 1 to 200 characters.',
      email: 'Enter a valid email address.',
      bio: 'Enter at most 5000 characters.',
      photoUrl: 'Enter a web address that begins with https://.',
    } satisfies Record<Exclude<Field, 'active'>, string>,
    hours: {
      /** @param name of the professional */
      title: (name: string) => `Hours of ${name}`,
      link: 'Hours',
      week: 'Every week',
      text: 'Patients can book when the clinic is open and the professional works. Leave a day blank for a day off. If the professional works until midnight, enter 00:00 as the end.',
      always: 'Same hours as the clinic',
      datesText: 'These hours apply even when the clinic is closed.',
    },
  },
  pt: {
    add: 'Novo profissional',
    none: 'Ainda não há profissionais. Adicione as pessoas que atendem os pacientes.',
    next: 'Mais profissionais',
    heads: { name: 'Nome', specialty: 'Especialidade', email: 'E-mail', state: 'Estado' },
    active: 'Aceita marcações',
    left: 'Não aceita novas marcações',
    save: 'Guardar',
    create: 'Adicionar profissional',
    fields: {
      name: 'Nome',
      title: 'Título',
      specialty: 'Especialidade',
      email: 'E-mail',
      bio: 'Biografia (visível para os pacientes)',
      photoUrl: 'URL da fotografia',
      active: 'Aceita novas marcações',
    },
    hints: {
      title: 'Por exemplo, Dra.',
      photoUrl: 'Começa por https://',
      active: 'As marcações existentes mantêm-se em qualquer caso.',
    },
    wrong: {
      name: 'Escreva um nome com 1 a 200 caracteres.',
      title: 'Escreva no máximo 50 caracteres.',
      specialty: 'Escreva uma especialidade com 1 a 200 caracteres.',
      email: 'Escreva um endereço de e-mail válido.',
      bio: 'Escreva no máximo 5000 caracteres.',
      photoUrl: 'Escreva um endereço web que comece por https://.',
    },
    hours: {
      title: (name) => `Horário de ${name}`,
      link: 'Horário',
      week: 'Todas as semanas',
      text: 'Os pacientes podem fazer marcações quando a clínica está aberta e o profissional trabalha. Deixe em branco os dias de folga. Se o profissional trabalhar até à meia-noite, escreva 00:00 como hora de fim.',
      always: 'Mesmo horário da clínica',
      datesText: 'Estes horários aplicam-se mesmo quando a clínica está fechada.',
    },
  },
});
