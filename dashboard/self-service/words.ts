import type { Words } from '../language/language.ts';

interface SelfServiceWords {
  title: (clinic: string) => string;
  service: string;
  anotherService: string;
  noServices: string;
  minutes: (count: string) => string;
  professional: string;
  anyone: string;
  timeTitle: string;
  day: string;
  dayBefore: string;
  dayAfter: string;
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
  keptUntil: (time: string) => string;
  goOn: string;
  toMend: string;
  wrong: { patientName: string; patientPhone: string };
  taken: string;
  tooMany: string;
  visit: string;
  booked: string;
  when: string;
  withWhom: string;
  what: string;
  where: string;
  keepLink: string;
  calendar: string;
  move: string;
  moveTitle: string;
  moveQuestion: string;
  confirmMove: string;
  before: string;
  after: string;
  cancel: string;
  cancelQuestion: string;
  confirmCancel: string;
  keep: string;
  isCancelled: string;
  isOver: string;
  bookAnother: string;
}

export const SELF_SERVICE_WORDS: Words<SelfServiceWords> = {
  en: {
    title: (clinic) => `Book at ${clinic}`,
    service: 'What for?',
    anotherService: 'Another service',
    noServices: 'Nothing can be booked here at present. Please call the clinic.',
    minutes: (count) => `${count} minutes`,
    professional: 'With whom?',
    anyone: 'Anybody',
    timeTitle: 'When?',
    day: 'Day',
    dayBefore: 'Day before',
    dayAfter: 'Day after',
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
    keptUntil: (time) => `Kept for you until ${time}.`,
    goOn: 'Go on with this time',
    toMend: 'Nothing is booked yet: please look at what is marked below.',
    wrong: {
      patientName: 'Write your name.',
      patientPhone: 'Write the whole number, such as +351 912 345 678.',
    },
    taken: 'Somebody was quicker: this time is taken. Please choose another.',
    tooMany: 'Too much was booked from here, or at this clinic, in a short time. Please call the clinic.',
    visit: 'Your visit',
    booked: 'Your visit is booked.',
    when: 'When',
    withWhom: 'With',
    what: 'What for',
    where: 'Where',
    keepLink: 'Keep the address of this page: here you can move or cancel the visit until it begins.',
    calendar: 'Add to your calendar',
    move: 'Choose another time',
    moveTitle: 'Choose another time',
    moveQuestion: 'Move your visit?',
    confirmMove: 'Yes, move it',
    before: 'Until now',
    after: 'From now on',
    cancel: 'Cancel the visit',
    cancelQuestion: 'Cancel this visit?',
    confirmCancel: 'Yes, cancel it',
    keep: 'No, keep it',
    isCancelled: 'This visit is cancelled.',
    isOver: 'This visit can no longer be changed here.',
    bookAnother: 'Book another visit',
  },
  pt: {
    title: (clinic) => `Marcar em ${clinic}`,
    service: 'Para quê?',
    anotherService: 'Outro serviço',
    noServices: 'De momento não é possível marcar aqui. Telefone para a clínica, por favor.',
    minutes: (count) => `${count} minutos`,
    professional: 'Com quem?',
    anyone: 'Qualquer pessoa',
    timeTitle: 'Quando?',
    day: 'Dia',
    dayBefore: 'Dia anterior',
    dayAfter: 'Dia seguinte',
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
    keptUntil: (time) => `Guardada para si até às ${time}.`,
    goOn: 'Continuar com esta hora',
    toMend: 'Ainda nada está marcado: veja o que está assinalado abaixo.',
    wrong: {
      patientName: 'Escreva o seu nome.',
      patientPhone: 'Escreva o número completo, por exemplo +351 912 345 678.',
    },
    taken: 'Alguém foi mais rápido: esta hora está ocupada. Escolha outra, por favor.',
    tooMany:
      'Houve demasiadas marcações a partir daqui, ou nesta clínica, em pouco tempo. Telefone para a clínica, por favor.',
    visit: 'A sua consulta',
    booked: 'A sua consulta está marcada.',
    when: 'Quando',
    withWhom: 'Com',
    what: 'Para quê',
    where: 'Onde',
    keepLink: 'Guarde o endereço desta página: aqui pode mudar ou cancelar a consulta até ela começar.',
    calendar: 'Juntar ao calendário',
    move: 'Escolher outra hora',
    moveTitle: 'Escolha outra hora',
    moveQuestion: 'Mudar a sua consulta?',
    confirmMove: 'Sim, mudar',
    before: 'Até agora',
    after: 'Passa a ser',
    cancel: 'Cancelar a consulta',
    cancelQuestion: 'Cancelar esta consulta?',
    confirmCancel: 'Sim, cancelar',
    keep: 'Não, manter',
    isCancelled: 'Esta consulta está cancelada.',
    isOver: 'Esta consulta já não pode ser alterada aqui.',
    bookAnother: 'Marcar outra consulta',
  },
};
