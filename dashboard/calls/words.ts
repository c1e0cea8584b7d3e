import type { CallOutcome, CallStatus } from '../../domain/calls/call.ts';
import type { Words } from '../language/language.ts';

interface CallWords {
  outcomes: Record<CallOutcome, string>;
  statuses: Record<CallStatus, string>;
  filters: { outcome: string; any: string; from: string; until: string; show: string };
  heads: { start: string; caller: string; lasted: string; outcome: string; words: string };
  none: string;
  next: string;
  unreadable: string;
  title: string;
  called: string;
  carrier: string;
  number: string;
  recording: string;
  noRecording: string;
  appointments: string;
  booked: string;
  noAppointments: string;
  transcript: string;
  noTranscript: string;
  onwards: string;
}

export const CALL_WORDS: Words<CallWords> = {
  en: {
    outcomes: {
      booking_created: 'Booked',
      info_only: 'Question answered',
      handoff_to_human: 'Handed over',
      voicemail: 'Message left',
      abandoned: 'Hung up',
    },
    statuses: { in_progress: 'Under way', completed: 'Ended' },
    filters: {
      outcome: 'What came of it',
      any: 'Anything',
      from: 'From',
      until: 'Up to',
      show: 'Show',
    },
    heads: { start: 'When', caller: 'Caller', lasted: 'Lasted', outcome: 'What came of it', words: 'Words' },
    none: 'There are no such calls.',
    next: 'Earlier calls',
    unreadable: 'not readable any more',
    title: 'Call of',
    called: 'Number called',
    carrier: 'Number at the carrier',
    number: 'Number here',
    recording: 'Recording',
    noRecording: 'There is no recording of this call.',
    appointments: 'Appointments made in this call, and the caller’s since',
    booked: 'booked in this call',
    noAppointments: 'The caller has no appointment from the day of the call on.',
    transcript: 'What was said and done',
    noTranscript: 'Nothing was written down.',
    onwards: 'What came next',
  },
  pt: {
    outcomes: {
      booking_created: 'Marcou',
      info_only: 'Pergunta respondida',
      handoff_to_human: 'Passada a uma pessoa',
      voicemail: 'Deixou mensagem',
      abandoned: 'Desligou',
    },
    statuses: { in_progress: 'Em curso', completed: 'Terminada' },
    filters: {
      outcome: 'Resultado',
      any: 'Qualquer um',
      from: 'Desde',
      until: 'Até',
      show: 'Mostrar',
    },
    heads: {
      start: 'Quando',
      caller: 'Quem ligou',
      lasted: 'Durou',
      outcome: 'Resultado',
      words: 'Palavras',
    },
    none: 'Não há chamadas assim.',
    next: 'Chamadas anteriores',
    unreadable: 'já não se consegue ler',
    title: 'Chamada de',
    called: 'Número chamado',
    carrier: 'Número na operadora',
    number: 'Número aqui',
    recording: 'Gravação',
    noRecording: 'Não há gravação desta chamada.',
    appointments: 'Marcações feitas nesta chamada, e as de quem ligou desde então',
    booked: 'marcada nesta chamada',
    noAppointments: 'Quem ligou não tem marcações a partir do dia da chamada.',
    transcript: 'O que foi dito e feito',
    noTranscript: 'Nada ficou escrito.',
    onwards: 'O que veio a seguir',
  },
};
