import type { SeeingAction } from '../../commands/patient-reads/who-saw.ts';
import { words } from '../language/language.ts';

export const READ_WORDS = words({
  en: {
    intro:
      'Who was shown patients of this clinic: its people, our support, partners and programs with an API key. Who looks at the same again within an hour, or a program within a day, stands here once. What was changed stands in each appointment.',
    /** Before a link to the only appointment that is asked for. */
    ofOne: 'Of one',
    all: 'Show all',
    heads: { when: 'When', who: 'Who', what: 'What', whom: 'Of whom' },
    actions: {
      'appointment.read': 'saw appointments',
      'call.read': 'saw who called',
      'transcript.read': 'read what was said in a call',
      'event.read': 'read what was sent to a receiver',
      'recording.link_issued': 'opened the recording of a call',
      'support.patient_viewed': 'looked at a patient from the support desk',
    } satisfies Record<SeeingAction, string>,
    appointment: 'appointment',
    call: 'call',
    more: (shown: string) => `and ${shown} more`,
    none: 'Nobody has been shown anything yet.',
    next: 'Earlier entries',
  },
  pt: {
    intro:
      'A quem foram mostrados pacientes desta clínica: a sua equipa, o nosso apoio, parceiros e programas com uma chave de API. Quem volta a ver o mesmo dentro de uma hora, ou um programa dentro de um dia, aparece aqui uma vez. O que foi alterado está em cada marcação.',
    ofOne: 'De uma só',
    all: 'Mostrar tudo',
    heads: { when: 'Quando', who: 'Quem', what: 'O quê', whom: 'De quem' },
    actions: {
      'appointment.read': 'viu marcações',
      'call.read': 'viu quem ligou',
      'transcript.read': 'leu o que se disse numa chamada',
      'event.read': 'leu o que foi enviado a um recetor',
      'recording.link_issued': 'abriu a gravação de uma chamada',
      'support.patient_viewed': 'consultou um paciente a partir do apoio técnico',
    },
    appointment: 'marcação',
    call: 'chamada',
    more: (shown) => `e mais ${shown}`,
    none: 'Ainda não foi mostrado nada a ninguém.',
    next: 'Entradas anteriores',
  },
});
