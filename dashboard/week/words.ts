import type { WEEKDAYS } from '../../domain/clinic/hours/business-hours.schema.ts';
import { words } from '../language/language.ts';

export const WEEK_WORDS = words({
  en: {
    caption: 'Week',
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
    wrong: 'Check the times: each period needs a start and a later end, and periods can’t overlap.',
    /** Special dates. */
    dates: {
      title: 'Special dates',
      text: 'Holidays and special hours. These replace the weekly hours on the dates you add. Leave a date’s times blank if you’re closed.',
      caption: 'Special dates',
      date: 'Date',
      newDate: 'Add a date',
      noDate: 'Enter a date.',
      usual: 'Use the weekly hours',
      closed: 'closed',
      tooMany: 'Not saved: you can have at most 400 special dates. Remove some first.',
    },
  },
  pt: {
    caption: 'Semana',
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
      'Verifique as horas: cada período precisa de um início e de um fim posterior, e os períodos não se podem sobrepor.',
    dates: {
      title: 'Datas especiais',
      text: 'Feriados e horários especiais. Substituem o horário semanal nas datas que adicionar. Deixe as horas em branco se a clínica estiver fechada.',
      caption: 'Datas especiais',
      date: 'Data',
      newDate: 'Adicionar data',
      noDate: 'Indique uma data.',
      usual: 'Usar o horário semanal',
      closed: 'fechado',
      tooMany: 'Não foi guardado: pode ter no máximo 400 datas especiais. Retire algumas primeiro.',
    },
  },
});
