import type { Specialty } from '../../domain/clinic/tenant.ts';
import type { NameOf } from '../edits/form-fields.ts';
import { words } from '../language/language.ts';
import type { ShownOfClinic } from './clinic-form.ts';
import type { ShownOfReceptionist } from './receptionist-form.ts';

type ClinicField = NameOf<ShownOfClinic>;
type ReceptionistField = NameOf<ShownOfReceptionist>;

export const SETTINGS_WORDS = words({
  en: {
    save: 'Save',
    clinic: {
      title: 'The clinic',
      fields: {
        name: 'Name',
        specialty: 'What kind of clinic it is',
        timezone: 'Time zone',
      } satisfies Record<ClinicField, string>,
      hints: {
        name: 'What patients call it.',
      } satisfies Record<'name', string>,
      wrong: {
        name: 'Write 1 to 200 characters.',
        specialty: 'Choose one.',
        timezone: 'Choose a time zone.',
      } satisfies Record<ClinicField, string>,
    },
    specialties: {
      dental: 'Dental',
      medical: 'Medical',
      physio: 'Physiotherapy',
      aesthetic: 'Aesthetic',
      other: 'Other',
    } satisfies Record<Specialty, string>,
    hours: {
      title: 'Business hours',
      text: 'They shape which times are offered as free. A day without times is closed. Midnight at the end of a day is 00:00.',
      always: 'Open all day, every day',
    },
    receptionist: {
      title: 'The AI receptionist',
      fields: {
        greeting: 'What it says first',
        voice: 'Voice',
        voiceSpeed: 'How fast it speaks',
        fallbackHumanNumber: 'Number of a person to hand over to',
        transcriptDays: 'Days to keep what was said in calls',
        recordingDays: 'Days to keep recordings',
      } satisfies Record<ReceptionistField, string>,
      hints: {
        voiceSpeed: 'From 0.5 to 2; 1 is normal.',
        fallbackHumanNumber: 'Empty: to nobody.',
        transcriptDays: 'Empty: until they are erased.',
        recordingDays: 'Empty: until they are erased.',
      } satisfies Record<'voiceSpeed' | 'fallbackHumanNumber' | 'transcriptDays' | 'recordingDays', string>,
      wrong: {
        greeting: 'At most 2000 characters.',
        voice: 'At most 200 characters.',
        voiceSpeed: 'A number from 0.5 to 2.',
        fallbackHumanNumber: 'At most 100 characters.',
        transcriptDays: 'A whole number of days, from 1 to 36500.',
        recordingDays: 'A whole number of days, from 1 to 36500.',
      } satisfies Record<ReceptionistField, string>,
    },
    kept: {
      title: 'Kept by our support',
      text: 'Ask our support when one of these has changed.',
      fields: {
        email: 'Notices about failing webhooks go to',
        phone: 'Phone',
        address: 'Address',
        nif: 'Tax number',
      },
    },
  },
  pt: {
    save: 'Guardar',
    clinic: {
      title: 'A clínica',
      fields: {
        name: 'Nome',
        specialty: 'Tipo de clínica',
        timezone: 'Fuso horário',
      },
      hints: {
        name: 'Como os pacientes lhe chamam.',
      },
      wrong: {
        name: 'Escreva entre 1 e 200 caracteres.',
        specialty: 'Escolha um.',
        timezone: 'Escolha um fuso horário.',
      },
    },
    specialties: {
      dental: 'Dentária',
      medical: 'Médica',
      physio: 'Fisioterapia',
      aesthetic: 'Estética',
      other: 'Outra',
    },
    hours: {
      title: 'Horário de funcionamento',
      text: 'Define que horários se oferecem como livres. Um dia sem horas está fechado. A meia-noite no fim do dia é 00:00.',
      always: 'Aberta o dia inteiro, todos os dias',
    },
    receptionist: {
      title: 'A rececionista de IA',
      fields: {
        greeting: 'O que diz primeiro',
        voice: 'Voz',
        voiceSpeed: 'Velocidade da fala',
        fallbackHumanNumber: 'Número de uma pessoa a quem passar a chamada',
        transcriptDays: 'Dias que se guarda o que foi dito nas chamadas',
        recordingDays: 'Dias que se guardam as gravações',
      },
      hints: {
        voiceSpeed: 'De 0.5 a 2; 1 é o normal.',
        fallbackHumanNumber: 'Vazio: a ninguém.',
        transcriptDays: 'Vazio: até serem apagadas.',
        recordingDays: 'Vazio: até serem apagadas.',
      },
      wrong: {
        greeting: 'No máximo 2000 caracteres.',
        voice: 'No máximo 200 caracteres.',
        voiceSpeed: 'Um número de 0.5 a 2.',
        fallbackHumanNumber: 'No máximo 100 caracteres.',
        transcriptDays: 'Um número inteiro de dias, de 1 a 36500.',
        recordingDays: 'Um número inteiro de dias, de 1 a 36500.',
      },
    },
    kept: {
      title: 'Tratado pelo nosso apoio',
      text: 'Fale com o nosso apoio quando algo aqui mudar.',
      fields: {
        email: 'Avisos sobre webhooks com falhas vão para',
        phone: 'Telefone',
        address: 'Morada',
        nif: 'NIF',
      },
    },
  },
});
