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
    /** The last line of a truncated file. */
    cutOff: (most: string) =>
      `This file has only the first ${most} rows. To get the rest, filter the list and download it again.`,
    heads: {
      answer: 'Response',
      attempts: 'Attempts',
      caller: 'Caller',
      ends: 'Ends',
      error: 'Last error',
      event: 'Event',
      happened: 'Time',
      id: 'ID',
      milliseconds: 'Duration (ms)',
      ofWhat: 'Details',
      outcome: 'Outcome',
      patient: 'Patient',
      professional: 'With',
      receiver: 'Endpoint',
      request: 'Request',
      seconds: 'Duration (s)',
      service: 'Service',
      source: 'Booked by',
      starts: 'Starts',
      status: 'Status',
      what: 'Action',
      who: 'Who',
    } satisfies Record<Head, string>,
  },
  pt: {
    cutOff: (most) =>
      `Este ficheiro só tem as primeiras ${most} linhas. Para obter o resto, filtre a lista e descarregue o ficheiro de novo.`,
    heads: {
      answer: 'Resposta',
      attempts: 'Tentativas',
      caller: 'Quem ligou',
      ends: 'Fim',
      error: 'Último erro',
      event: 'Evento',
      happened: 'Hora',
      id: 'ID',
      milliseconds: 'Duração (ms)',
      ofWhat: 'Detalhes',
      outcome: 'Resultado',
      patient: 'Paciente',
      professional: 'Profissional',
      receiver: 'Endpoint',
      request: 'Pedido',
      seconds: 'Duração (s)',
      service: 'Serviço',
      source: 'Marcada por',
      starts: 'Início',
      status: 'Estado',
      what: 'Ação',
      who: 'Quem',
    },
  },
});
