import type { Words } from '../language/language.ts';
import type { DayPart } from './read-block.ts';

interface BlockWords {
  add: string;
  /** Of whom, on the page of the day and in lists. */
  clinic: string;
  whose: string;
  day: string;
  parts: Record<DayPart, string>;
  partsTitle: string;
  otherTimes: string;
  from: string;
  to: string;
  title: string;
  titleHint: string;
  block: string;
  stay: string;
  wrong: Record<'whose' | 'day' | 'from' | 'to' | 'title', string>;
  list: {
    text: string;
    since: string;
    everybody: string;
    show: string;
    heads: { from: string; to: string; whose: string; title: string };
    none: string;
    next: string;
  };
  /** On the page of a day. */
  ofDay: string;
  /** The page of a block without a title. */
  untitled: string;
  blocked: string;
  removed: string;
  collides: { title: string; text: string; none: string; most: string };
  heads: { time: string; patient: string };
  remove: string;
  confirmRemove: string;
  all: string;
}

export const BLOCK_WORDS: Words<BlockWords> = {
  en: {
    add: 'Block time',
    clinic: 'The whole clinic',
    whose: 'Whose time?',
    day: 'Day',
    parts: { morning: 'Morning, until 12:00', afternoon: 'Afternoon, from 12:00', day: 'The whole day' },
    partsTitle: 'Block',
    otherTimes: 'Other times, or several days',
    from: 'From',
    to: 'Until',
    title: 'What for?',
    titleHint: 'Only your clinic and its programs see it.',
    block: 'Block',
    stay: 'Nothing is offered in that time any more. Appointments that lie in it stay.',
    wrong: {
      whose: 'Choose whose time it is.',
      day: 'Choose a day.',
      from: 'Fill in a date and a time.',
      to: 'It must lie after the beginning, and at most 366 days after it.',
      title: 'At most 200 characters.',
    },
    list: {
      text: 'At these times nobody is offered: not by the receptionist, not online, not to programs.',
      since: 'From this day on',
      everybody: 'Everybody',
      show: 'Show',
      heads: { from: 'From', to: 'Until', whose: 'Whose', title: 'What for' },
      none: 'No time is blocked.',
      next: 'Later ones',
    },
    ofDay: 'Blocked on this day',
    untitled: 'Blocked time',
    blocked: 'It is blocked.',
    removed: 'The time is free again.',
    collides: {
      title: 'Appointments that lie in it',
      text: 'They stay. Move or cancel those that cannot be kept.',
      none: 'No appointment lies in it.',
      most: 'Only the first 100 are shown.',
    },
    heads: { time: 'Time', patient: 'Patient' },
    remove: 'Free this time again',
    confirmRemove: 'Free this time again? It will be offered to patients.',
    all: 'All blocked times',
  },
  pt: {
    add: 'Bloquear horas',
    clinic: 'A clínica toda',
    whose: 'De quem?',
    day: 'Dia',
    parts: { morning: 'Manhã, até às 12:00', afternoon: 'Tarde, a partir das 12:00', day: 'O dia todo' },
    partsTitle: 'Bloquear',
    otherTimes: 'Outras horas, ou vários dias',
    from: 'De',
    to: 'Até',
    title: 'Para quê?',
    titleHint: 'Só a sua clínica e os programas dela o veem.',
    block: 'Bloquear',
    stay: 'Nesse tempo já nada se oferece. As marcações que lá estão mantêm-se.',
    wrong: {
      whose: 'Escolha de quem é o tempo.',
      day: 'Escolha um dia.',
      from: 'Preencha a data e a hora.',
      to: 'Tem de ser depois do início, e no máximo 366 dias depois.',
      title: 'No máximo 200 caracteres.',
    },
    list: {
      text: 'Nestas horas ninguém é oferecido: nem pela rececionista, nem online, nem a programas.',
      since: 'A partir deste dia',
      everybody: 'Todos',
      show: 'Mostrar',
      heads: { from: 'De', to: 'Até', whose: 'De quem', title: 'Para quê' },
      none: 'Não há horas bloqueadas.',
      next: 'As seguintes',
    },
    ofDay: 'Bloqueado neste dia',
    untitled: 'Tempo bloqueado',
    blocked: 'Está bloqueado.',
    removed: 'O tempo está livre de novo.',
    collides: {
      title: 'Marcações que lá estão',
      text: 'Mantêm-se. Remarque ou cancele as que não se podem cumprir.',
      none: 'Nenhuma marcação está nesse tempo.',
      most: 'Só se mostram as primeiras 100.',
    },
    heads: { time: 'Hora', patient: 'Paciente' },
    remove: 'Libertar este tempo',
    confirmRemove: 'Libertar este tempo? Voltará a ser oferecido aos pacientes.',
    all: 'Todas as horas bloqueadas',
  },
};
