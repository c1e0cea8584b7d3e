import type { NameOf } from '../edits/form-fields.ts';
import type { Words } from '../language/language.ts';
import type { ShownOfPatient } from './patient-form.ts';

interface OneAppointmentWords {
  title: string;
  when: string;
  status: string;
  service: string;
  professional: string;
  bookedBy: string;
  bookedAt: string;
  inCall: string;
  toCall: string;
  notes: string;
  none: string;
  externalId: string;
  checkedIn: string;
  reason: string;
  noShow: string;
  noShowHint: string;
  number: string;
  day: string;
  movedTo: string;
  checkIn: string;
  lateCheckIn: string;
  markNoShow: string;
  cancel: { title: string; text: string; reason: string; button: string; confirm: string };
  do: string;
  /** What was settled by mistake. */
  takeBack: Record<'attended' | 'no_show' | 'cancelled', string>;
  edit: {
    title: string;
    save: string;
    back: string;
    fields: Record<NameOf<ShownOfPatient>, string>;
    hints: Record<'patientPhone', string>;
    wrong: Record<NameOf<ShownOfPatient>, string>;
  };
}

export const ONE_APPOINTMENT_WORDS: Words<OneAppointmentWords> = {
  en: {
    title: 'Appointment of',
    when: 'When',
    status: 'Status',
    service: 'Service',
    professional: 'With',
    bookedBy: 'Booked by',
    bookedAt: 'Booked on',
    inCall: 'Made in a call',
    toCall: 'What was said',
    notes: 'Notes',
    none: 'none',
    externalId: 'Number in your other system',
    checkedIn: 'Checked in',
    reason: 'Why',
    noShow: 'Counts as missed from',
    noShowHint: 'unless the patient is checked in before',
    number: 'Number here',
    day: 'The whole day',
    movedTo: 'It was moved. The appointment that counts is',
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
    do: 'What next?',
    takeBack: {
      attended: 'Take the check-in back',
      no_show: 'Expect the patient again',
      cancelled: 'Take the cancellation back',
    },
    edit: {
      title: 'Change name, phone or notes',
      save: 'Save',
      back: 'Back to the appointment',
      fields: { patientName: 'Patient’s name', patientPhone: 'New phone', patientNotes: 'Notes' },
      hints: {
        patientPhone: 'Empty: it stays as it is. It is stored as a fingerprint, so it cannot be shown.',
      },
      wrong: {
        patientName: 'Write 1 to 200 characters.',
        patientPhone:
          'This is no phone number of your country. Write that of another country with + and the country, such as +351 912 345 678.',
        patientNotes: 'Write at most 1000 characters.',
      },
    },
  },
  pt: {
    title: 'Marcação de',
    when: 'Quando',
    status: 'Estado',
    service: 'Serviço',
    professional: 'Profissional',
    bookedBy: 'Marcada por',
    bookedAt: 'Marcada em',
    inCall: 'Feita numa chamada',
    toCall: 'O que foi dito',
    notes: 'Notas',
    none: 'nenhumas',
    externalId: 'Número no seu outro sistema',
    checkedIn: 'Chegou',
    reason: 'Porquê',
    noShow: 'Conta como falta a partir de',
    noShowHint: 'se a presença não for registada antes',
    number: 'Número aqui',
    day: 'O dia inteiro',
    movedTo: 'Foi remarcada. A marcação que conta é a de',
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
    do: 'E agora?',
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
};
