import type { WEEKDAYS } from '../../domain/clinic/hours/business-hours.schema.ts';
import { words } from '../language/language.ts';

export const WEEK_WORDS = words({
  en: {
    caption: 'The week',
    weekdays: {
      mon: 'Monday',
      tue: 'Tuesday',
      wed: 'Wednesday',
      thu: 'Thursday',
      fri: 'Friday',
      sat: 'Saturday',
      sun: 'Sunday',
    } satisfies Record<(typeof WEEKDAYS)[number], string>,
    opens: 'from',
    closes: 'to',
    wrong: 'Each opening must begin before it ends, neither may be missing, and none may overlap another.',
    /** What replaces the week on some dates. */
    dates: {
      title: 'Special dates',
      text: 'Holidays and shortened days: on these dates the hours here count instead of those of the week. A date without times is closed.',
      caption: 'Special dates',
      date: 'Date',
      newDate: 'Another date',
      noDate: 'Fill in a date, such as 24 December 2026.',
      usual: 'As on other weeks again',
      closed: 'closed',
      tooMany: 'Nothing is saved: there may be at most 400 special dates. Take some away first.',
    },
  },
  pt: {
    caption: 'A semana',
    weekdays: {
      mon: 'Segunda-feira',
      tue: 'Terça-feira',
      wed: 'Quarta-feira',
      thu: 'Quinta-feira',
      fri: 'Sexta-feira',
      sat: 'Sábado',
      sun: 'Domingo',
    },
    opens: 'das',
    closes: 'às',
    wrong:
      'Cada período tem de começar antes de acabar, nenhuma das horas pode faltar, e nenhum pode sobrepor-se a outro.',
    dates: {
      title: 'Datas especiais',
      text: 'Feriados e dias mais curtos: nestas datas valem as horas daqui em vez das da semana. Uma data sem horas está fechada.',
      caption: 'Datas especiais',
      date: 'Data',
      newDate: 'Outra data',
      noDate: 'Preencha uma data, por exemplo 24 de dezembro de 2026.',
      usual: 'De novo como nas outras semanas',
      closed: 'fechado',
      tooMany: 'Nada foi guardado: pode haver no máximo 400 datas especiais. Retire algumas primeiro.',
    },
  },
});
