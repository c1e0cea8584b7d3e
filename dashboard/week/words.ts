import type { WEEKDAYS } from '../../domain/clinic/business-hours.schema.ts';
import type { Words } from '../language/language.ts';

interface WeekWords {
  caption: string;
  weekdays: Record<(typeof WEEKDAYS)[number], string>;
  opens: string;
  closes: string;
  wrong: string;
}

export const WEEK_WORDS: Words<WeekWords> = {
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
    },
    opens: 'from',
    closes: 'to',
    wrong: 'Each opening must begin before it ends, and neither may be missing.',
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
    wrong: 'Cada período tem de começar antes de acabar, e nenhuma das horas pode faltar.',
  },
};
