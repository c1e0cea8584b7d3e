import type { NameOf } from '../edits/form-fields.ts';
import { words } from '../language/language.ts';
import type { ShownOfPatient } from './patient-form.ts';

export const ONE_APPOINTMENT_WORDS = words({
  en: {
    withWhom: (service: string | null, professional: string) =>
      service === null ? `With ${professional}` : `${service} with ${professional}`,
    day: 'The whole day',
    /** How it stands, where the status does not say all of it. */
    missedFrom: (when: string) =>
      `Counts as missed from ${when} on, unless the patient is checked in before.`,
    lateNow: (when: string) => `Nobody has checked the patient in; from ${when} on it counts as missed.`,
    overdue: 'Nobody has checked the patient in, and the time for it is over: this is about to be missed.',
    checkedIn: (when: string) => `Checked in ${when}.`,
    cameLate: (when: string) => `Came after all: checked in ${when}, when it already counted as missed.`,
    /** To the one that took its place. */
    movedTo: 'It was moved. The appointment that counts is',
    takenBackTo: 'What was settled here was taken back. The appointment that counts is',
    bookedBy: 'Booked by',
    inCall: 'Made in a call',
    toCall: 'What was said',
    notes: 'Notes',
    none: 'none',
    /** What the patient answered before the visit, and after it. */
    triage: 'Answered before the visit',
    rating: 'Said after the visit',
    outOfTen: (score: string) => `${score} of 10`,
    technical: {
      title: 'Technical details',
      number: 'Number here',
      externalId: 'Number in your other system',
      patientNumber: 'Patient’s number in your other system',
      events: 'Events',
      seen: 'Who has seen this appointment',
    },
    checkIn: 'Check in',
    lateCheckIn: 'The patient came after all',
    markNoShow: 'The patient did not come',
    cancel: {
      title: 'Cancel',
      text: 'The time becomes free. As long as nobody has it, the cancellation can be taken back.',
      reason: 'Why?',
      button: 'Cancel the appointment',
      confirm: 'Cancel this appointment? Its time becomes free at once.',
    },
    /** What was settled by mistake. */
    takeBack: {
      attended: 'Take the check-in back',
      no_show: 'Expect the patient again',
      cancelled: 'Take the cancellation back',
    } satisfies Record<'attended' | 'no_show' | 'cancelled', string>,
    edit: {
      title: 'Change name, phone or notes',
      save: 'Save',
      back: 'Back to the appointment',
      fields: {
        patientName: 'Patient’s name',
        patientPhone: 'New phone',
        patientNotes: 'Notes',
      } satisfies Record<NameOf<ShownOfPatient>, string>,
      hints: {
        patientPhone: 'Empty: it stays as it is. It is stored as a fingerprint, so it cannot be shown.',
      } satisfies Record<'patientPhone', string>,
      wrong: {
        patientName: 'Write 1 to 200 characters.',
        patientPhone:
          'This is no phone number of your country. Write that of another country with + and the country, such as +351 912 345 678.',
        patientNotes: 'Write at most 1000 characters.',
      } satisfies Record<NameOf<ShownOfPatient>, string>,
    },
  },
  pt: {
    withWhom: (service, professional) =>
      service === null ? `Com ${professional}` : `${service} com ${professional}`,
    day: 'O dia inteiro',
    missedFrom: (when) => `Conta como falta a partir de ${when}, se a presença não for registada antes.`,
    lateNow: (when) => `A presença ainda não foi registada; a partir de ${when} conta como falta.`,
    overdue: 'A presença não foi registada e o prazo passou: está prestes a contar como falta.',
    checkedIn: (when) => `Presença registada ${when}.`,
    cameLate: (when) => `Veio afinal: presença registada ${when}, quando já contava como falta.`,
    movedTo: 'Foi remarcada. A marcação que conta é a de',
    takenBackTo: 'O que aqui se registou foi anulado. A marcação que conta é a de',
    bookedBy: 'Marcada por',
    inCall: 'Feita numa chamada',
    toCall: 'O que foi dito',
    notes: 'Notas',
    none: 'nenhumas',
    triage: 'Respondido antes da consulta',
    rating: 'Dito depois da consulta',
    outOfTen: (score) => `${score} em 10`,
    technical: {
      title: 'Dados técnicos',
      number: 'Número aqui',
      externalId: 'Número no seu outro sistema',
      patientNumber: 'Número do paciente no seu outro sistema',
      events: 'Eventos',
      seen: 'Quem viu esta marcação',
    },
    checkIn: 'Registar presença',
    lateCheckIn: 'Afinal o paciente veio',
    markNoShow: 'O paciente faltou',
    cancel: {
      title: 'Cancelar',
      text: 'O horário fica livre. Enquanto ninguém o tiver, o cancelamento pode ser anulado.',
      reason: 'Porquê?',
      button: 'Cancelar a marcação',
      confirm: 'Cancelar esta marcação? O horário fica livre de imediato.',
    },
    takeBack: {
      attended: 'Anular a presença',
      no_show: 'Esperar de novo pelo paciente',
      cancelled: 'Anular o cancelamento',
    },
    edit: {
      title: 'Mudar nome, telefone ou notas',
      save: 'Guardar',
      back: 'Voltar à marcação',
      fields: { patientName: 'Nome do paciente', patientPhone: 'Novo telefone', patientNotes: 'Notas' },
      hints: {
        patientPhone:
          'Vazio: fica como está. Só se guarda uma impressão digital, por isso não se pode mostrar.',
      },
      wrong: {
        patientName: 'Escreva entre 1 e 200 caracteres.',
        patientPhone:
          'Este não é um número do seu país. Escreva o de outro país com + e o país, por exemplo +351 912 345 678.',
        patientNotes: 'Escreva no máximo 1000 caracteres.',
      },
    },
  },
});
