import type { Words } from '../language/language.ts';

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
      text: 'The time becomes free. A cancelled appointment can still be moved, but not taken back.',
      reason: 'Why?',
      button: 'Cancel the appointment',
      confirm: 'Cancel this appointment? Its time becomes free at once.',
    },
    do: 'What next?',
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
      text: 'O horário fica livre. Uma marcação cancelada ainda pode ser remarcada, mas não reposta.',
      reason: 'Porquê?',
      button: 'Cancelar a marcação',
      confirm: 'Cancelar esta marcação? O horário fica livre de imediato.',
    },
    do: 'E agora?',
  },
};
