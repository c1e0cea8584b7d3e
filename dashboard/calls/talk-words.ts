import { type Language, words, type Words } from '../language/language.ts';
import { WEEK_WORDS } from '../week/words.ts';

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

const PARTS_OF_DAY: Words<Partial<Record<string, string>>> = {
  en: { morning: 'in the morning', afternoon: 'in the afternoon', evening: 'in the evening' },
  pt: { morning: 'de manhã', afternoon: 'à tarde', evening: 'à noite' },
};

/** “mon tue”: Monday, Tuesday. */
function weekdaysIn(days: string, language: Language): string {
  const names: Partial<Record<string, string>> = WEEK_WORDS[language].weekdays;
  return days
    .split(' ')
    .map((day) => names[day] ?? day)
    .join(', ');
}

export const TALK_WORDS = words({
  en: {
    /** By name, as docs/mcp.md has them. */
    tools: {
      list_services: 'Looks up the services',
      list_professionals: 'Looks up the professionals',
      find_times: 'Looks for free times',
      find_appointments: 'Looks for the caller’s appointments',
      hold_time: 'Keeps a time',
      book: 'Books',
      move: 'Moves an appointment',
      cancel: 'Cancels an appointment',
    } satisfies Record<OwnTool, string>,
    otherTool: (name: string) => `Uses “${name}”`,
    answer: (tool: string) => `${tool}: the answer`,
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
    } satisfies Record<Fact, string>,
    /** What a tool was given, after what it does, in this order: “Books for Maria Santos on 5 Mar 2026, 10:30”. */
    phrases: {
      serviceTypeId: (service) => `for ${service}`,
      patientName: (name) => `for ${name}`,
      patientPhone: (phone) => `by the phone ${phone}`,
      professionalId: (name) => `with ${name}`,
      startsAt: (at) => `on ${at}`,
      endsAt: (at) => `until ${at}`,
      partOfDay: (part) => PARTS_OF_DAY.en[part] ?? part,
      weekdays: (days) => `on ${weekdaysIn(days, 'en')}`,
      from: (at) => `from ${at}`,
      to: (at) => `to ${at}`,
      notBefore: (time) => `not before ${time}`,
      notAfter: (time) => `not after ${time}`,
      status: (status) => `that are ${status}`,
      reason: (reason) => `(${reason})`,
    } satisfies Record<Exclude<Fact, 'expiresAt'>, (value: string) => string>,
    offered: 'Offered',
    refused: 'Refused',
    long: 'Too long to be shown here; the API has all of it.',
    gone: 'not kept any more',
    final: 'Final transcript',
    booked: 'Booked',
    moved: 'Moved to',
    /** Of a time that nobody else could book meanwhile. */
    kept: 'Kept',
    keptUntil: (time: string) => `until ${time}`,
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
    phrases: {
      serviceTypeId: (service) => `para ${service}`,
      patientName: (name) => `para ${name}`,
      patientPhone: (phone) => `pelo telefone ${phone}`,
      professionalId: (name) => `com ${name}`,
      startsAt: (at) => `em ${at}`,
      endsAt: (at) => `até ${at}`,
      partOfDay: (part) => PARTS_OF_DAY.pt[part] ?? part,
      weekdays: (days) => `em ${weekdaysIn(days, 'pt')}`,
      from: (at) => `desde ${at}`,
      to: (at) => `até ${at}`,
      notBefore: (time) => `não antes das ${time}`,
      notAfter: (time) => `não depois das ${time}`,
      status: (status) => `que estão ${status}`,
      reason: (reason) => `(${reason})`,
    },
    offered: 'Ofereceu',
    refused: 'Recusado',
    long: 'Demasiado longo para mostrar aqui; a API tem tudo.',
    gone: 'já não é guardado',
    final: 'Transcrição final',
    booked: 'Marcado para',
    moved: 'Mudado para',
    kept: 'Guardado',
    keptUntil: (time) => `até às ${time}`,
  },
});
