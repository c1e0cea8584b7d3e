import { words } from '../../language/language.ts';

/** Periods with a filter link. */
export const STRETCHES = ['today', 'yesterday', 'week'] as const;
export type Stretch = (typeof STRETCHES)[number];

/** Labels of the delivery filters. */
export const FILTER_WORDS = words({
  en: {
    search: 'Find deliveries',
    searchHint:
      'Enter the ID of an event, delivery or appointment, an external ID, an event type (appointment.created) or an error (http_5xx).',
    find: 'Find',
    any: 'Any',
    endpoint: 'Endpoint',
    status: 'Status',
    when: 'When',
    stretches: { today: 'Today', yesterday: 'Yesterday', week: 'Last 7 days' } satisfies Record<
      Stretch,
      string
    >,
    /** Label of additional filters. */
    also: 'Filter',
    ofAppointment: 'one appointment',
    more: 'Event, error and time',
    type: 'Event',
    error: 'Last error',
    since: 'From',
    until: 'Until',
    show: 'Show',
    clear: 'Clear filters',
    wrongTime: 'Enter a date and a time.',
    wrongId: 'Enter the ID of an appointment.',
  },
  pt: {
    search: 'Procurar entregas',
    searchHint:
      'Escreva o ID de um evento, de uma entrega ou de uma marcação, um ID externo, um tipo de evento (appointment.created) ou um erro (http_5xx).',
    find: 'Procurar',
    any: 'Todos',
    endpoint: 'Endpoint',
    status: 'Estado',
    when: 'Quando',
    stretches: { today: 'Hoje', yesterday: 'Ontem', week: 'Últimos 7 dias' },
    also: 'Filtro',
    ofAppointment: 'uma marcação',
    more: 'Evento, erro e hora',
    type: 'Evento',
    error: 'Último erro',
    since: 'De',
    until: 'Até',
    show: 'Mostrar',
    clear: 'Limpar filtros',
    wrongTime: 'Indique uma data e uma hora.',
    wrongId: 'Indique o ID de uma marcação.',
  },
});
