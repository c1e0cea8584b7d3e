import type { Words } from '../../language/language.ts';

interface DayWords {
  bar: string;
  previous: string;
  next: string;
  previousWeek: string;
  nextWeek: string;
  today: string;
  date: string;
  show: string;
  views: { day: string; week: string; list: string };
  professional: string;
  book: string;
  none: string;
  caption: string;
  /** Of the list. */
  later: string;
  /** After a time: it can be booked. */
  free: string;
  /** Of a block without a title. */
  blocked: string;
  marks: { note: string; voice_ai: string; self_service: string; sync_external: string };
  move: string;
  checkedIn(name: string): string;
  undo: string;
  waitsAgain(name: string): string;
  settled(count: string): string;
  settledCaption: string;
  moreSettled: string;
  who: string;
  chooseWho(shown: number, all: number): string;
  earlierColumns: string;
  laterColumns: string;
  tooMany: string;
}

export const DAY_WORDS: Words<DayWords> = {
  en: {
    bar: 'Which day',
    previous: 'Day before',
    next: 'Day after',
    previousWeek: 'Week before',
    nextWeek: 'Week after',
    today: 'Today',
    date: 'Day',
    show: 'Show',
    views: { day: 'Day', week: 'Week', list: 'List' },
    professional: 'Professional',
    book: 'New appointment',
    none: 'There is no appointment on this day.',
    caption: 'Appointments',
    later: 'Later that day',
    free: 'free',
    blocked: 'Blocked',
    marks: { note: 'Note', voice_ai: 'AI', self_service: 'Online', sync_external: 'PMS' },
    move: 'Move',
    checkedIn: (name) => `${name} is checked in.`,
    undo: 'Undo',
    waitsAgain: (name) => `${name} is expected again.`,
    settled: (count) => `Cancelled and moved (${count})`,
    settledCaption: 'Cancelled and moved appointments',
    moreSettled: 'These are the first ones; the list has all.',
    who: 'Professionals',
    chooseWho: (shown, all) => `Professionals: ${shown} of ${all}`,
    earlierColumns: 'Professionals before',
    laterColumns: 'More professionals',
    tooMany: 'There are more appointments than a picture can hold; the list has all.',
  },
  pt: {
    bar: 'Que dia',
    previous: 'Dia anterior',
    next: 'Dia seguinte',
    previousWeek: 'Semana anterior',
    nextWeek: 'Semana seguinte',
    today: 'Hoje',
    date: 'Dia',
    show: 'Mostrar',
    views: { day: 'Dia', week: 'Semana', list: 'Lista' },
    professional: 'Profissional',
    book: 'Nova marcação',
    none: 'Não há marcações neste dia.',
    caption: 'Marcações',
    later: 'Mais tarde nesse dia',
    free: 'livre',
    blocked: 'Bloqueado',
    marks: { note: 'Nota', voice_ai: 'IA', self_service: 'Online', sync_external: 'PMS' },
    move: 'Remarcar',
    checkedIn: (name) => `${name} está presente.`,
    undo: 'Desfazer',
    waitsAgain: (name) => `${name} volta a ser esperado(a).`,
    settled: (count) => `Canceladas e remarcadas (${count})`,
    settledCaption: 'Marcações canceladas e remarcadas',
    moreSettled: 'Estas são as primeiras; a lista tem todas.',
    who: 'Profissionais',
    chooseWho: (shown, all) => `Profissionais: ${shown} de ${all}`,
    earlierColumns: 'Profissionais anteriores',
    laterColumns: 'Mais profissionais',
    tooMany: 'Há mais marcações do que cabem na agenda; a lista tem todas.',
  },
};
