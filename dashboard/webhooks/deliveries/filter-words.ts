import type { Words } from '../../language/language.ts';

interface FilterWords {
  any: string;
  endpoint: string;
  status: string;
  type: string;
  error: string;
  since: string;
  until: string;
  appointment: string;
  show: string;
  clear: string;
  wrongTime: string;
  wrongId: string;
}

/** What narrows the list of deliveries. */
export const FILTER_WORDS: Words<FilterWords> = {
  en: {
    any: 'any',
    endpoint: 'Endpoint',
    status: 'State',
    type: 'Event',
    error: 'Last failure',
    since: 'From',
    until: 'Until',
    appointment: 'Id of the appointment',
    show: 'Show',
    clear: 'All deliveries',
    wrongTime: 'This is no date with a time.',
    wrongId: 'This is no id of an appointment.',
  },
  pt: {
    any: 'qualquer',
    endpoint: 'Endpoint',
    status: 'Estado',
    type: 'Evento',
    error: 'Última falha',
    since: 'De',
    until: 'Até',
    appointment: 'Identificador da marcação',
    show: 'Mostrar',
    clear: 'Todas as entregas',
    wrongTime: 'Não é uma data com hora.',
    wrongId: 'Não é um identificador de marcação.',
  },
};
