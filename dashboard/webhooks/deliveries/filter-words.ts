import { words } from '../../language/language.ts';

/** Stretches of time that a list is narrowed to with one press. */
export const STRETCHES = ['today', 'yesterday', 'week'] as const;
export type Stretch = (typeof STRETCHES)[number];

/** What narrows the list of deliveries. */
export const FILTER_WORDS = words({
  en: {
    search: 'Find deliveries',
    searchHint:
      'By the id of an event, a delivery or an appointment, your own number of an appointment, a type such as appointment.created, or an error such as http_5xx.',
    find: 'Find',
    any: 'any',
    endpoint: 'Endpoint',
    status: 'State',
    when: 'When',
    stretches: { today: 'Today', yesterday: 'Yesterday', week: 'The last 7 days' } satisfies Record<
      Stretch,
      string
    >,
    /** Of what is chosen beside the rest. */
    also: 'Also',
    ofAppointment: 'of one appointment',
    more: 'By event, failure and time',
    type: 'Event',
    error: 'Last failure',
    since: 'From',
    until: 'Until',
    show: 'Show',
    clear: 'All deliveries',
    wrongTime: 'This is no date with a time.',
    wrongId: 'This is no id of an appointment.',
  },
  pt: {
    search: 'Procurar entregas',
    searchHint:
      'Pelo identificador de um evento, de uma entrega ou de uma marcação, pelo seu próprio número da marcação, por um tipo como appointment.created ou por um erro como http_5xx.',
    find: 'Procurar',
    any: 'qualquer',
    endpoint: 'Endpoint',
    status: 'Estado',
    when: 'Quando',
    stretches: { today: 'Hoje', yesterday: 'Ontem', week: 'Os últimos 7 dias' },
    also: 'Também',
    ofAppointment: 'de uma marcação',
    more: 'Por evento, falha e hora',
    type: 'Evento',
    error: 'Última falha',
    since: 'De',
    until: 'Até',
    show: 'Mostrar',
    clear: 'Todas as entregas',
    wrongTime: 'Não é uma data com hora.',
    wrongId: 'Não é um identificador de marcação.',
  },
});
