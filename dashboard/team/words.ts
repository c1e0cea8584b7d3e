import type { NameOf } from '../edits/form-fields.ts';
import { words } from '../language/language.ts';
import type { ShownOfProfessional } from './professional-form.ts';

type Field = NameOf<ShownOfProfessional>;

export const TEAM_WORDS = words({
  en: {
    add: 'New professional',
    none: 'There is nobody yet. Add those who see patients.',
    next: 'More professionals',
    heads: { name: 'Name', specialty: 'What they practise', email: 'E-mail', state: 'State' },
    active: 'Takes bookings',
    left: 'Takes no new bookings',
    save: 'Save',
    create: 'Add',
    fields: {
      name: 'Name',
      title: 'Title',
      specialty: 'What they practise',
      email: 'E-mail',
      bio: 'A few words for patients',
      photoUrl: 'Address of a portrait',
      active: 'Takes new bookings',
    } satisfies Record<Field, string>,
    hints: {
      title: 'Such as Dr.',
      photoUrl: 'Begins with https://',
      active: 'Appointments that are booked already stand in any case.',
    } satisfies Record<'title' | 'photoUrl' | 'active', string>,
    wrong: {
      name: 'Write 1 to 200 characters.',
      title: 'At most 50 characters.',
      specialty: 'Write 1 to 200 characters.',
      email: 'This is no e-mail address.',
      bio: 'At most 5000 characters.',
      photoUrl: 'This is no web address.',
    } satisfies Record<Exclude<Field, 'active'>, string>,
    hours: {
      /** Of whom. */
      title: (name: string) => `Hours of ${name}`,
      link: 'Hours',
      week: 'Every week',
      text: 'Patients are offered times at which the clinic is open and the professional works. A day without times is a day off. Midnight at the end of a day is 00:00.',
      always: 'The same hours as the clinic',
      datesText: 'They count even where the clinic is closed.',
    },
  },
  pt: {
    add: 'Novo profissional',
    none: 'Ainda não há ninguém. Adicione quem atende os pacientes.',
    next: 'Mais profissionais',
    heads: { name: 'Nome', specialty: 'Especialidade', email: 'E-mail', state: 'Estado' },
    active: 'Aceita marcações',
    left: 'Não aceita novas marcações',
    save: 'Guardar',
    create: 'Adicionar',
    fields: {
      name: 'Nome',
      title: 'Título',
      specialty: 'Especialidade',
      email: 'E-mail',
      bio: 'Algumas palavras para os pacientes',
      photoUrl: 'Endereço de um retrato',
      active: 'Aceita novas marcações',
    },
    hints: {
      title: 'Por exemplo, Dra.',
      photoUrl: 'Começa por https://',
      active: 'As marcações já feitas mantêm-se em todo o caso.',
    },
    wrong: {
      name: 'Escreva entre 1 e 200 caracteres.',
      title: 'No máximo 50 caracteres.',
      specialty: 'Escreva entre 1 e 200 caracteres.',
      email: 'Isto não é um endereço de e-mail.',
      bio: 'No máximo 5000 caracteres.',
      photoUrl: 'Isto não é um endereço web.',
    },
    hours: {
      title: (name) => `Horário de ${name}`,
      link: 'Horário',
      week: 'Todas as semanas',
      text: 'Aos pacientes oferecem-se horas em que a clínica está aberta e o profissional trabalha. Um dia sem horas é de folga. A meia-noite no fim do dia é 00:00.',
      always: 'O mesmo horário da clínica',
      datesText: 'Valem mesmo quando a clínica está fechada.',
    },
  },
});
