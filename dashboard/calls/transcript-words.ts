import type { CallSpeaker } from '../../domain/calls/call.ts';
import { type Language, words, type Words } from '../language/language.ts';
import { WEEK_WORDS } from '../week/words.ts';

/** Tool arguments and results that are shown under another name. */
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
  | 'briefing'
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

export const TRANSCRIPT_WORDS = words({
  en: {
    /** By tool name, as in docs/mcp.md. */
    tools: {
      briefing: 'Looked up the clinic and the caller',
      list_services: 'Looked up services',
      list_professionals: 'Looked up professionals',
      find_times: 'Searched free times',
      find_appointments: 'Looked up the caller’s appointments',
      hold_time: 'Held a time',
      book: 'Booked',
      move: 'Rescheduled',
      cancel: 'Cancelled',
    } satisfies Record<OwnTool, string> satisfies Record<OwnTool, string>,
    otherTool: (name: string) => `Used “${name}”`,
    answer: (tool: string) => `${tool} (result)`,
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
      expiresAt: 'held until',
    } satisfies Record<Fact, string>,
    /**
     * A tool's arguments in words. They follow the tool's name in this order: “Searched free times for Cleaning in the
     * afternoon”.
     */
    phrases: {
      serviceTypeId: (service) => `for ${service}`,
      patientName: (name) => `for ${name}`,
      patientPhone: (phone) => `with phone number ${phone}`,
      professionalId: (name) => `with ${name}`,
      endsAt: (at) => `until ${at}`,
      partOfDay: (part) => PARTS_OF_DAY.en[part] ?? part,
      weekdays: (days) => `on ${weekdaysIn(days, 'en')}`,
      from: (at) => `from ${at}`,
      to: (at) => `to ${at}`,
      notBefore: (time) => `not before ${time}`,
      notAfter: (time) => `not after ${time}`,
      status: (status) => `with status ${status}`,
      reason: (reason) => `(${reason})`,
    } satisfies Record<Exclude<Fact, 'expiresAt' | 'startsAt'>, (value: string) => string>,
    offered: 'Offered',
    refused: 'Not possible',
    long: 'The transcript is too long to show in full. Use the API to read all of it.',
    gone: 'deleted',
    final: 'Final transcript',
    speakers: {
      caller: 'Caller',
      assistant: 'AI receptionist',
      human: 'Staff',
    } satisfies Record<CallSpeaker, string>,
    booked: 'Appointment booked',
    moved: 'Rescheduled to',
    /** For a held time. */
    kept: 'Held',
    keptUntil: (time: string) => `until ${time}`,
  },
  pt: {
    tools: {
      briefing: 'Consultou os dados da clínica e de quem ligou',
      list_services: 'Consultou os serviços',
      list_professionals: 'Consultou os profissionais',
      find_times: 'Procurou horários livres',
      find_appointments: 'Consultou as marcações de quem ligou',
      hold_time: 'Reservou um horário',
      book: 'Marcou',
      move: 'Remarcou',
      cancel: 'Cancelou',
    },
    otherTool: (name) => `Usou “${name}”`,
    answer: (tool) => `${tool} (resultado)`,
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
      expiresAt: 'reservado até',
    },
    phrases: {
      serviceTypeId: (service) => `para ${service}`,
      patientName: (name) => `para ${name}`,
      patientPhone: (phone) => `com o telefone ${phone}`,
      professionalId: (name) => `com ${name}`,
      endsAt: (at) => `até ${at}`,
      partOfDay: (part) => PARTS_OF_DAY.pt[part] ?? part,
      weekdays: (days) => `${/^s(at|un)/.test(days) ? 'ao' : 'à'} ${weekdaysIn(days, 'pt').toLowerCase()}`,
      from: (at) => `desde ${at}`,
      to: (at) => `até ${at}`,
      notBefore: (time) => `não antes das ${time}`,
      notAfter: (time) => `não depois das ${time}`,
      status: (status) => `com estado ${status}`,
      reason: (reason) => `(${reason})`,
    },
    offered: 'Propôs',
    refused: 'Não foi possível',
    long: 'A transcrição é demasiado longa para ser mostrada aqui na íntegra. Para ler o texto completo, use a API.',
    gone: 'eliminado',
    final: 'Transcrição final',
    speakers: { caller: 'Quem ligou', assistant: 'Rececionista de IA', human: 'Equipa' },
    booked: 'Marcação feita',
    moved: 'Marcação remarcada para',
    kept: 'Reservado',
    keptUntil: (time) => `até às ${time}`,
  },
});
