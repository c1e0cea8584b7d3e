import { words } from '../language/language.ts';

type Head =
  | 'answer'
  | 'attempts'
  | 'caller'
  | 'ends'
  | 'error'
  | 'event'
  | 'happened'
  | 'id'
  | 'milliseconds'
  | 'ofWhat'
  | 'outcome'
  | 'patient'
  | 'professional'
  | 'receiver'
  | 'request'
  | 'seconds'
  | 'service'
  | 'source'
  | 'starts'
  | 'status'
  | 'what'
  | 'who';

export const CSV_WORDS = words({
  en: {
    /** The last line of a file that does not hold all. */
    cutOff: (most: string) => `Only the first ${most} rows: narrow the list and download the rest.`,
    heads: {
      answer: 'Answer',
      attempts: 'Attempts',
      caller: 'Caller',
      ends: 'Ends',
      error: 'Last error',
      event: 'Event',
      happened: 'Time',
      id: 'Id',
      milliseconds: 'Took (ms)',
      ofWhat: 'Of what',
      outcome: 'Outcome',
      patient: 'Patient',
      professional: 'With',
      receiver: 'Receiver',
      request: 'Request',
      seconds: 'Lasted (s)',
      service: 'Service',
      source: 'Booked by',
      starts: 'Starts',
      status: 'State',
      what: 'What',
      who: 'Who',
    } satisfies Record<Head, string>,
  },
  pt: {
    cutOff: (most) => `Só as primeiras ${most} linhas: restrinja a lista e descarregue o resto.`,
    heads: {
      answer: 'Resposta',
      attempts: 'Tentativas',
      caller: 'Quem ligou',
      ends: 'Fim',
      error: 'Último erro',
      event: 'Evento',
      happened: 'Hora',
      id: 'Identificador',
      milliseconds: 'Demorou (ms)',
      ofWhat: 'De quê',
      outcome: 'Resultado',
      patient: 'Paciente',
      professional: 'Profissional',
      receiver: 'Recetor',
      request: 'Pedido',
      seconds: 'Durou (s)',
      service: 'Serviço',
      source: 'Marcada por',
      starts: 'Início',
      status: 'Estado',
      what: 'O quê',
      who: 'Quem',
    },
  },
});
