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
    copy: 'Copy Monday to Tuesday–Friday',
    opens: 'from',
    closes: 'to',
    wrong: 'Check the times: each period needs a start and a later end, and periods can’t overlap.',
    /** Special dates. */
    dates: {
      title: 'Special dates',
      text: 'Add holidays and dates with special hours. On these dates, the special hours replace the weekly hours. If you’re closed on a date, leave its times blank.',
      caption: 'Special dates',
      date: 'Date',
      newDate: 'Add a date',
      noDate: 'Enter a date.',
      usual: 'Use the weekly hours',
      closed: 'closed',
      tooMany: 'Not saved: you can have at most 400 special dates. Remove some dates first.',
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
    copy: 'Copiar segunda para terça a sexta',
    opens: 'das',
    closes: 'às',
    wrong:
      'Verifique as horas: cada período precisa de um início e de um fim posterior, e os períodos não se podem sobrepor.',
    dates: {
      title: 'Datas especiais',
      text: 'Adicione feriados e datas com horário especial. Nessas datas, o horário especial substitui o horário semanal. Se a clínica estiver fechada numa data, deixe em branco as horas dessa data.',
      caption: 'Datas especiais',
      date: 'Data',
      newDate: 'Adicionar data',
      noDate: 'Indique uma data.',
      usual: 'Usar o horário semanal',
      closed: 'fechado',
      tooMany:
        'As datas não foram guardadas: pode ter no máximo 400 datas especiais. Retire primeiro algumas datas.',
    },
  },
});
