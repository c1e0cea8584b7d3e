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
      list_services: 'Looks up the services',
      list_professionals: 'Looks up the professionals',
      find_times: 'Looks for free times',
      find_appointments: 'Looks for the caller’s appointments',
      hold_time: 'Keeps a time',
      book: 'Books',
      move: 'Moves an appointment',
      cancel: 'Cancels an appointment',
    },
    otherTool: (name) => `Uses “${name}”`,
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
      list_services: 'Consulta os serviços',
      list_professionals: 'Consulta os profissionais',
      find_times: 'Procura horas livres',
      find_appointments: 'Procura as marcações de quem ligou',
      hold_time: 'Guarda uma hora',
      book: 'Marca',
      move: 'Muda uma marcação',
      cancel: 'Cancela uma marcação',
    },
    otherTool: (name) => `Usa “${name}”`,
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
