import type { CallOutcome, CallStatus } from '../../domain/calls/call.ts';
import type { Words } from '../language/language.ts';

interface CallWords {
  outcomes: Record<CallOutcome, string>;
  statuses: Record<CallStatus, string>;
  filters: { outcome: string; any: string; from: string; until: string; show: string };
  heads: { caller: string; start: string; outcome: string; lasted: string; todo: string };
  toReturn: (count: string) => string;
  none: string;
  noneToReturn: string;
  next: string;
  unreadable: string;
  title: string;
  /** Between the names of a family. */
  or: string;
  phone: string;
  /** Of the caller. */
  nextVisit: string;
  noNextVisit: string;
  /** Nobody's phone. */
  newCaller: string;
  unknown: string;
  callBack: {
    needed: string;
    why: Record<'handoff_to_human' | 'voicemail' | 'abandoned', string>;
    done: string;
    doneBy: (name: string, when: string) => string;
    again: string;
    book: string;
  };
  agreed: string;
  nothingAgreed: string;
  visits: string;
  called: string;
  carrier: string;
  number: string;
  technical: string;
  recording: string;
  noRecording: string;
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
    heads: {
      caller: 'Caller',
      start: 'When',
      outcome: 'What came of it',
      lasted: 'Lasted',
      todo: 'To do',
    },
    toReturn: (count) => `To call back (${count})`,
    none: 'There are no such calls.',
    noneToReturn: 'Nobody waits to be called back.',
    next: 'Earlier calls',
    unreadable: 'not readable any more',
    title: 'Call of',
    or: 'or',
    phone: 'Phone',
    nextVisit: 'Next visit',
    noNextVisit: 'No visit ahead',
    newCaller: 'New caller',
    unknown: 'No patient of yours has this phone.',
    callBack: {
      needed: 'Needs a call back',
      why: {
        handoff_to_human: 'The caller wanted to speak with a person.',
        voicemail: 'The caller left a message.',
        abandoned: 'The caller hung up before anything came of it.',
      },
      done: 'Mark as called back',
      doneBy: (name, when) => `Called back by ${name}, ${when}.`,
      again: 'Still to be called back',
      book: 'Book for this caller',
    },
    agreed: 'Agreed in this call',
    nothingAgreed: 'Nothing was booked or moved in this call.',
    visits: 'The caller’s other visits from that day on',
    called: 'Number called',
    carrier: 'Number at the carrier',
    number: 'Number here',
    technical: 'Technical details',
    recording: 'Recording',
    noRecording: 'There is no recording of this call.',
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
      caller: 'Quem ligou',
      start: 'Quando',
      outcome: 'Resultado',
      lasted: 'Durou',
      todo: 'Por fazer',
    },
    toReturn: (count) => `Por devolver (${count})`,
    none: 'Não há chamadas assim.',
    noneToReturn: 'Ninguém está à espera de que lhe liguem.',
    next: 'Chamadas anteriores',
    unreadable: 'já não se consegue ler',
    title: 'Chamada de',
    or: 'ou',
    phone: 'Telefone',
    nextVisit: 'Próxima consulta',
    noNextVisit: 'Sem consultas marcadas',
    newCaller: 'Número novo',
    unknown: 'Nenhum paciente da clínica tem este telefone.',
    callBack: {
      needed: 'É preciso ligar de volta',
      why: {
        handoff_to_human: 'Quem ligou queria falar com uma pessoa.',
        voicemail: 'Quem ligou deixou uma mensagem.',
        abandoned: 'Quem ligou desligou antes de se resolver alguma coisa.',
      },
      done: 'Já liguei',
      doneBy: (name, when) => `Chamada devolvida por ${name}, ${when}.`,
      again: 'Afinal falta ligar',
      book: 'Marcar para quem ligou',
    },
    agreed: 'Combinado nesta chamada',
    nothingAgreed: 'Nada foi marcado nem remarcado nesta chamada.',
    visits: 'Outras consultas de quem ligou, desde esse dia',
    called: 'Número chamado',
    carrier: 'Número na operadora',
    number: 'Número aqui',
    technical: 'Dados técnicos',
    recording: 'Gravação',
    noRecording: 'Não há gravação desta chamada.',
    transcript: 'O que foi dito e feito',
    noTranscript: 'Nada ficou escrito.',
    onwards: 'O que veio a seguir',
  },
};
