import type { AccessAction } from '../../commands/patient-reads/patient-accesses.ts';
import { words } from '../language/language.ts';

export const READ_WORDS = words({
  en: {
    intro:
      'Who viewed patient data of this clinic: staff, our support, integration partners and API keys. Repeated views within an hour (a day for integrations) are listed once. To see who changed an appointment, open its history.',
    /** Before a link to the appointment that the list is limited to. */
    ofOne: 'For one appointment',
    all: 'Show all',
    heads: { when: 'When', who: 'Who', what: 'Action', whom: 'Patient' },
    actions: {
      'appointment.read': 'viewed appointments',
      'call.read': 'viewed callers',
      'transcript.read': 'read a call transcript',
      'event.read': 'read the content of an event',
      'recording.link_issued': 'opened a call recording',
      'support.patient_viewed': 'viewed a patient from the support desk',
    } satisfies Record<AccessAction, string>,
    appointment: 'appointment',
    call: 'call',
    more: (shown: string) => `and ${shown} more`,
    none: 'No views yet.',
    next: 'Earlier entries',
  },
  pt: {
    intro:
      'Registo de quem viu dados de pacientes desta clínica: a equipa, o nosso apoio técnico, parceiros de integração e chaves de API. Acessos repetidos no espaço de uma hora (um dia para integrações) aparecem uma só vez. Para saber quem alterou uma marcação, veja o histórico da marcação.',
    ofOne: 'Acessos a uma marcação',
    all: 'Mostrar todos',
    heads: { when: 'Quando', who: 'Quem', what: 'Ação', whom: 'Paciente' },
    actions: {
      'appointment.read': 'viu marcações',
      'call.read': 'viu quem ligou',
      'transcript.read': 'leu a transcrição de uma chamada',
      'event.read': 'leu o conteúdo de um evento',
      'recording.link_issued': 'abriu a gravação de uma chamada',
      'support.patient_viewed': 'viu um paciente a partir do apoio técnico',
    },
    appointment: 'marcação',
    call: 'chamada',
    more: (shown) => `e mais ${shown}`,
    none: 'Ainda não há acessos.',
    next: 'Entradas anteriores',
  },
});
