import type { Words } from '../language/language.ts';

interface SelfServiceWords {
  title: (clinic: string) => string;
  service: string;
  noServices: string;
  minutes: (count: string) => string;
  professional: string;
  anyone: string;
  day: string;
  showTimes: string;
  morning: string;
  afternoon: string;
  noTimes: string;
  nextTimes: (day: string) => string;
  back: string;
  details: string;
  name: string;
  phone: string;
  phoneHint: string;
  book: string;
  wrong: { patientName: string; patientPhone: string };
  taken: string;
  tooMany: string;
  booked: string;
  when: string;
  withWhom: string;
  what: string;
  where: string;
  keepLink: string;
  calendar: string;
  move: string;
  moveTitle: string;
  cancel: string;
  cancelQuestion: string;
  confirmCancel: string;
  keep: string;
  isCancelled: string;
  isOver: string;
  callUs: string;
  bookAnother: string;
}

export const SELF_SERVICE_WORDS: Words<SelfServiceWords> = {
  en: {
    title: (clinic) => `Book at ${clinic}`,
    service: 'What for?',
    noServices: 'Nothing can be booked here at present. Please call the clinic.',
    minutes: (count) => `${count} minutes`,
    professional: 'With whom?',
    anyone: 'Anybody',
    day: 'Day',
    showTimes: 'Show free times',
    morning: 'Morning',
    afternoon: 'Afternoon',
    noTimes: 'Nothing is free on this day.',
    nextTimes: (day) => `The next free day is ${day}`,
    back: 'Another time',
    details: 'Your details',
    name: 'Your name',
    phone: 'Your phone',
    phoneHint: 'The clinic calls you there if something changes.',
    book: 'Book',
    wrong: {
      patientName: 'Write your name.',
      patientPhone: 'Write the whole number, such as +351 912 345 678.',
    },
    taken: 'Somebody was quicker: this time is taken. Please choose another.',
    tooMany: 'Too many bookings from here. Please call the clinic.',
    booked: 'Your visit is booked.',
    when: 'When',
    withWhom: 'With',
    what: 'What for',
    where: 'Where',
    keepLink: 'Keep the address of this page: here you can move or cancel the visit until it begins.',
    calendar: 'Add to your calendar',
    move: 'Move',
    moveTitle: 'Choose another time',
    cancel: 'Cancel',
    cancelQuestion: 'Cancel this visit?',
    confirmCancel: 'Yes, cancel it',
    keep: 'No, keep it',
    isCancelled: 'This visit is cancelled.',
    isOver: 'This visit can no longer be changed here.',
    callUs: 'Phone',
    bookAnother: 'Book another visit',
  },
  pt: {
    title: (clinic) => `Marcar em ${clinic}`,
    service: 'Para quê?',
    noServices: 'De momento não é possível marcar aqui. Telefone para a clínica, por favor.',
    minutes: (count) => `${count} minutos`,
    professional: 'Com quem?',
    anyone: 'Qualquer pessoa',
    day: 'Dia',
    showTimes: 'Ver horas livres',
    morning: 'Manhã',
    afternoon: 'Tarde',
    noTimes: 'Não há horas livres neste dia.',
    nextTimes: (day) => `O próximo dia livre é ${day}`,
    back: 'Outra hora',
    details: 'Os seus dados',
    name: 'O seu nome',
    phone: 'O seu telefone',
    phoneHint: 'A clínica liga para este número se algo mudar.',
    book: 'Marcar',
    wrong: {
      patientName: 'Escreva o seu nome.',
      patientPhone: 'Escreva o número completo, por exemplo +351 912 345 678.',
    },
    taken: 'Alguém foi mais rápido: esta hora está ocupada. Escolha outra, por favor.',
    tooMany: 'Demasiadas marcações a partir daqui. Telefone para a clínica, por favor.',
    booked: 'A sua consulta está marcada.',
    when: 'Quando',
    withWhom: 'Com',
    what: 'Para quê',
    where: 'Onde',
    keepLink: 'Guarde o endereço desta página: aqui pode mudar ou cancelar a consulta até ela começar.',
    calendar: 'Juntar ao calendário',
    move: 'Mudar',
    moveTitle: 'Escolha outra hora',
    cancel: 'Cancelar',
    cancelQuestion: 'Cancelar esta consulta?',
    confirmCancel: 'Sim, cancelar',
    keep: 'Não, manter',
    isCancelled: 'Esta consulta está cancelada.',
    isOver: 'Esta consulta já não pode ser alterada aqui.',
    callUs: 'Telefone',
    bookAnother: 'Marcar outra consulta',
  },
};
