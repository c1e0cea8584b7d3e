import type { Specialty } from '../../domain/clinic/tenant.ts';
import type { WEEKDAYS } from '../../domain/clinic/business-hours.schema.ts';
import type { Words } from '../language/language.ts';

export interface SettingsWords {
  saved: string;
  save: string;
  clinic: string;
  /** By the name of the field. */
  fields: Record<string, string>;
  hints: Record<string, string>;
  wrong: Record<string, string>;
  specialties: Record<Specialty, string>;
  hours: string;
  hoursText: string;
  always: string;
  weekdays: Record<(typeof WEEKDAYS)[number], string>;
  opens: string;
  closes: string;
  receptionist: string;
  kept: string;
  keptText: string;
  keptFields: { email: string; phone: string; address: string; nif: string };
}

export const SETTINGS_WORDS: Words<SettingsWords> = {
  en: {
    saved: 'Saved.',
    save: 'Save',
    clinic: 'The clinic',
    fields: {
      name: 'Name',
      specialty: 'What kind of clinic it is',
      timezone: 'Time zone',
      publicSlug: 'Name of the public booking page',
      publicBookingEnabled: 'Patients may book by themselves',
      voice: 'Voice',
      voiceSpeed: 'How fast it speaks',
      greeting: 'What it says first',
      fallbackHumanNumber: 'Number of a person to hand over to',
      transcriptDays: 'Days to keep what was said in calls',
      recordingDays: 'Days to keep recordings',
    },
    hints: {
      name: 'What patients call it.',
      publicSlug: 'Lower-case letters and digits, with single hyphens between. Empty: there is none.',
      voiceSpeed: 'From 0.5 to 2; 1 is normal.',
      fallbackHumanNumber: 'Empty: to nobody.',
      transcriptDays: 'Empty: until they are erased.',
      recordingDays: 'Empty: until they are erased.',
    },
    wrong: {
      name: 'Write 1 to 200 characters.',
      specialty: 'Choose one.',
      timezone: 'Choose a time zone.',
      publicSlug: 'Only lower-case letters and digits, with single hyphens between, at most 63.',
      taken: 'Another clinic has this name.',
      businessHours: 'Each opening must begin before it ends, and neither may be missing.',
      voice: 'At most 200 characters.',
      voiceSpeed: 'A number from 0.5 to 2.',
      greeting: 'At most 2000 characters.',
      fallbackHumanNumber: 'At most 100 characters.',
      retention: 'A whole number of days, from 1 to 36500.',
    },
    specialties: {
      dental: 'Dental',
      medical: 'Medical',
      physio: 'Physiotherapy',
      aesthetic: 'Aesthetic',
      other: 'Other',
    },
    hours: 'Business hours',
    hoursText:
      'They shape which times are offered as free. A day without times is closed. Midnight at the end of a day is 00:00.',
    always: 'Open all day, every day',
    weekdays: {
      mon: 'Monday',
      tue: 'Tuesday',
      wed: 'Wednesday',
      thu: 'Thursday',
      fri: 'Friday',
      sat: 'Saturday',
      sun: 'Sunday',
    },
    opens: 'from',
    closes: 'to',
    receptionist: 'The AI receptionist',
    kept: 'Kept by our support',
    keptText: 'Ask our support when one of these has changed.',
    keptFields: {
      email: 'Notices about failing webhooks go to',
      phone: 'Phone',
      address: 'Address',
      nif: 'Tax number',
    },
  },
  pt: {
    saved: 'Guardado.',
    save: 'Guardar',
    clinic: 'A clínica',
    fields: {
      name: 'Nome',
      specialty: 'Tipo de clínica',
      timezone: 'Fuso horário',
      publicSlug: 'Nome da página pública de marcações',
      publicBookingEnabled: 'Os pacientes podem marcar sozinhos',
      voice: 'Voz',
      voiceSpeed: 'Velocidade da fala',
      greeting: 'O que diz primeiro',
      fallbackHumanNumber: 'Número de uma pessoa a quem passar a chamada',
      transcriptDays: 'Dias que se guarda o que foi dito nas chamadas',
      recordingDays: 'Dias que se guardam as gravações',
    },
    hints: {
      name: 'Como os pacientes lhe chamam.',
      publicSlug: 'Letras minúsculas e algarismos, com hífenes simples pelo meio. Vazio: não há.',
      voiceSpeed: 'De 0.5 a 2; 1 é o normal.',
      fallbackHumanNumber: 'Vazio: a ninguém.',
      transcriptDays: 'Vazio: até serem apagadas.',
      recordingDays: 'Vazio: até serem apagadas.',
    },
    wrong: {
      name: 'Escreva entre 1 e 200 caracteres.',
      specialty: 'Escolha um.',
      timezone: 'Escolha um fuso horário.',
      publicSlug: 'Só letras minúsculas e algarismos, com hífenes simples pelo meio, no máximo 63.',
      taken: 'Outra clínica tem este nome.',
      businessHours: 'Cada período tem de começar antes de acabar, e nenhuma das horas pode faltar.',
      voice: 'No máximo 200 caracteres.',
      voiceSpeed: 'Um número de 0.5 a 2.',
      greeting: 'No máximo 2000 caracteres.',
      fallbackHumanNumber: 'No máximo 100 caracteres.',
      retention: 'Um número inteiro de dias, de 1 a 36500.',
    },
    specialties: {
      dental: 'Dentária',
      medical: 'Médica',
      physio: 'Fisioterapia',
      aesthetic: 'Estética',
      other: 'Outra',
    },
    hours: 'Horário de funcionamento',
    hoursText:
      'Define que horários se oferecem como livres. Um dia sem horas está fechado. A meia-noite no fim do dia é 00:00.',
    always: 'Aberta o dia inteiro, todos os dias',
    weekdays: {
      mon: 'Segunda-feira',
      tue: 'Terça-feira',
      wed: 'Quarta-feira',
      thu: 'Quinta-feira',
      fri: 'Sexta-feira',
      sat: 'Sábado',
      sun: 'Domingo',
    },
    opens: 'das',
    closes: 'às',
    receptionist: 'A rececionista de IA',
    kept: 'Tratado pelo nosso apoio',
    keptText: 'Fale com o nosso apoio quando algo aqui mudar.',
    keptFields: {
      email: 'Avisos sobre webhooks com falhas vão para',
      phone: 'Telefone',
      address: 'Morada',
      nif: 'NIF',
    },
  },
};
