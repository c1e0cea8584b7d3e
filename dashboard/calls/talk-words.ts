import type { Words } from '../language/language.ts';

/** Arguments and answers of tools that people know by another name. */
type Fact =
  | 'serviceTypeId'
  | 'professionalId'
  | 'patientName'
  | 'patientPhone'
  | 'startsAt'
  | 'endsAt'
  | 'status'
  | 'weekdays'
  | 'partOfDay'
  | 'notBefore'
  | 'notAfter'
  | 'from'
  | 'to'
  | 'reason'
  | 'expiresAt';

type OwnTool =
  | 'list_services'
  | 'list_professionals'
  | 'find_times'
  | 'find_appointments'
  | 'hold_time'
  | 'book'
  | 'move'
  | 'cancel';

interface TalkWords {
  /** By name, as docs/mcp.md has them. */
  tools: Record<OwnTool, string>;
  otherTool: (name: string) => string;
  answer: (tool: string) => string;
  facts: Record<Fact, string>;
  offered: string;
  refused: string;
  long: string;
  gone: string;
  final: string;
  booked: string;
  moved: string;
}

export const TALK_WORDS: Words<TalkWords> = {
  en: {
    tools: {
      list_services: 'Looked up the services',
      list_professionals: 'Looked up the professionals',
      find_times: 'Looked for free times',
      find_appointments: 'Looked for the caller’s appointments',
      hold_time: 'Kept a time',
      book: 'Booked',
      move: 'Moved an appointment',
      cancel: 'Cancelled an appointment',
    },
    otherTool: (name) => `Used “${name}”`,
    answer: (tool) => `${tool}: the answer`,
    facts: {
      serviceTypeId: 'service',
      professionalId: 'with',
      patientName: 'name',
      patientPhone: 'phone',
      startsAt: 'at',
      endsAt: 'until',
      status: 'status',
      weekdays: 'days',
      partOfDay: 'part of the day',
      notBefore: 'not before',
      notAfter: 'not after',
      from: 'from',
      to: 'to',
      reason: 'reason',
      expiresAt: 'kept until',
    },
    offered: 'Offered',
    refused: 'Refused',
    long: 'Too long to be shown here; the API has all of it.',
    gone: 'not kept any more',
    final: 'Final transcript',
    booked: 'Booked',
    moved: 'Moved to',
  },
  pt: {
    tools: {
      list_services: 'Consultou os serviços',
      list_professionals: 'Consultou os profissionais',
      find_times: 'Procurou horas livres',
      find_appointments: 'Procurou as marcações de quem ligou',
      hold_time: 'Guardou uma hora',
      book: 'Marcou',
      move: 'Mudou uma marcação',
      cancel: 'Cancelou uma marcação',
    },
    otherTool: (name) => `Usou “${name}”`,
    answer: (tool) => `${tool}: a resposta`,
    facts: {
      serviceTypeId: 'serviço',
      professionalId: 'com',
      patientName: 'nome',
      patientPhone: 'telefone',
      startsAt: 'em',
      endsAt: 'até',
      status: 'estado',
      weekdays: 'dias',
      partOfDay: 'parte do dia',
      notBefore: 'não antes de',
      notAfter: 'não depois de',
      from: 'desde',
      to: 'até',
      reason: 'motivo',
      expiresAt: 'guardada até',
    },
    offered: 'Ofereceu',
    refused: 'Recusado',
    long: 'Demasiado longo para mostrar aqui; a API tem tudo.',
    gone: 'já não é guardado',
    final: 'Transcrição final',
    booked: 'Marcado para',
    moved: 'Mudado para',
  },
};
