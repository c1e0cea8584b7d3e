import type { Specialty } from '../../domain/clinic/tenant.ts';
import type { NameOf } from '../edits/form-fields.ts';
import { words } from '../language/language.ts';
import type { ShownOfClinic, ShownOfReceptionist } from './settings-forms.ts';

type ClinicField = NameOf<ShownOfClinic>;
type ReceptionistField = NameOf<ShownOfReceptionist>;

export const SETTINGS_WORDS = words({
  en: {
    save: 'Save',
    clinic: {
      title: 'Clinic',
      fields: {
        name: 'Name',
        specialty: 'Specialty',
        timezone: 'Time zone',
        acknowledgeWithinMinutes: 'Alert when practice software does not confirm within (minutes)',
        reminders: 'Remind patients (hours before the appointment)',
      } satisfies Record<ClinicField, string>,
      hints: {
        name: 'Shown to patients.',
        acknowledgeWithinMinutes:
          'From 5 to 10080. Leave blank if your practice software does not confirm appointments.',
        reminders:
          'Up to three numbers from 1 to 336, such as 48, 3. Your messaging system sends the reminders, between 09:00 and 20:00. Leave blank for none.',
      } satisfies Record<'name' | 'acknowledgeWithinMinutes' | 'reminders', string>,
      wrong: {
        name: 'Enter a name of 1 to 200 characters.',
        specialty: 'Choose a specialty.',
        timezone: 'Choose a time zone.',
        acknowledgeWithinMinutes: 'Enter a whole number of minutes, from 5 to 10080.',
        reminders: 'Enter up to three whole numbers of hours, from 1 to 336, separated by commas.',
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
      title: 'Opening hours',
      text: 'Patients can book within these hours. Leave a day blank if you’re closed. If you close at midnight, enter 00:00 as the closing time.',
      always: 'Open all day, every day',
    },
    receptionist: {
      title: 'AI receptionist',
      fields: {
        greeting: 'Greeting',
        voice: 'Voice',
        voiceSpeed: 'Voice speed',
        fallbackHumanNumber: 'Transfer calls to',
        transcriptDays: 'Keep transcripts for (days)',
        recordingDays: 'Keep recordings for (days)',
      } satisfies Record<ReceptionistField, string> satisfies Record<ReceptionistField, string>,
      hints: {
        voiceSpeed: 'From 0.5 to 2. Normal is 1.',
        fallbackHumanNumber: 'If calls should not be transferred, leave this blank.',
        transcriptDays: 'Leave blank to keep transcripts until you delete them.',
        recordingDays: 'Leave blank to keep recordings until you delete them.',
      } satisfies Record<'voiceSpeed' | 'fallbackHumanNumber' | 'transcriptDays' | 'recordingDays', string>,
      wrong: {
        greeting: 'Enter at most 2000 characters.',
        voice: 'Enter at most 200 characters.',
        voiceSpeed: 'Enter a number from 0.5 to 2.',
        fallbackHumanNumber: 'Enter at most 100 characters.',
        transcriptDays: 'Enter a whole number of days, from 1 to 36500.',
        recordingDays: 'Enter a whole number of days, from 1 to 36500.',
      } satisfies Record<ReceptionistField, string>,
    },
    kept: {
      title: 'Managed by support',
      text: 'Contact us to change these details.',
      fields: {
        email: 'Email for webhook alerts',
        phone: 'Phone',
        address: 'Address',
        nif: 'Tax number',
      },
    },
  },
  pt: {
    save: 'Guardar',
    clinic: {
      title: 'Clínica',
      fields: {
        name: 'Nome',
        specialty: 'Especialidade',
        timezone: 'Fuso horário',
        acknowledgeWithinMinutes: 'Alertar se o software da clínica não confirmar em (minutos)',
        reminders: 'Lembrar os pacientes (horas antes da consulta)',
      },
      hints: {
        name: 'Visível para os pacientes.',
        acknowledgeWithinMinutes:
          'De 5 a 10080. Deixe em branco se o software da clínica não confirmar marcações.',
        reminders:
          'Até três números de 1 a 336, por exemplo 48, 3. Os lembretes são enviados pelo seu sistema de mensagens, entre as 09:00 e as 20:00. Deixe em branco para não enviar lembretes.',
      },
      wrong: {
        name: 'Escreva um nome com 1 a 200 caracteres.',
        specialty: 'Escolha uma especialidade.',
        timezone: 'Escolha um fuso horário.',
        acknowledgeWithinMinutes: 'Escreva um número inteiro de minutos, de 5 a 10080.',
        reminders: 'Escreva até três números inteiros de horas, de 1 a 336, separados por vírgulas.',
      },
    },
    specialties: {
      dental: 'Medicina dentária',
      medical: 'Medicina',
      physio: 'Fisioterapia',
      aesthetic: 'Estética',
      other: 'Outra',
    },
    hours: {
      title: 'Horário da clínica',
      text: 'Os pacientes podem fazer marcações dentro deste horário. Deixe em branco os dias em que a clínica está fechada. Se a clínica fechar à meia-noite, escreva 00:00 como hora de fecho.',
      always: 'Aberta o dia inteiro, todos os dias',
    },
    receptionist: {
      title: 'Rececionista de IA',
      fields: {
        greeting: 'Saudação',
        voice: 'Voz',
        voiceSpeed: 'Velocidade da voz',
        fallbackHumanNumber: 'Transferir chamadas para',
        transcriptDays: 'Guardar transcrições durante (dias)',
        recordingDays: 'Guardar gravações durante (dias)',
      },
      hints: {
        voiceSpeed: 'De 0,5 a 2; o normal é 1.',
        fallbackHumanNumber: 'Se não quiser transferir chamadas, deixe em branco.',
        transcriptDays: 'Deixe em branco para guardar as transcrições até serem eliminadas.',
        recordingDays: 'Deixe em branco para guardar as gravações até serem eliminadas.',
      },
      wrong: {
        greeting: 'Escreva no máximo 2000 caracteres.',
        voice: 'Escreva no máximo 200 caracteres.',
        voiceSpeed: 'Escreva um número de 0,5 a 2.',
        fallbackHumanNumber: 'Escreva no máximo 100 caracteres.',
        transcriptDays: 'Escreva um número inteiro de dias, de 1 a 36500.',
        recordingDays: 'Escreva um número inteiro de dias, de 1 a 36500.',
      },
    },
    kept: {
      title: 'Gerido pelo apoio técnico',
      text: 'Contacte-nos para alterar estes dados.',
      fields: {
        email: 'E-mail para alertas de webhooks',
        phone: 'Telefone',
        address: 'Morada',
        nif: 'NIF',
      },
    },
  },
});
