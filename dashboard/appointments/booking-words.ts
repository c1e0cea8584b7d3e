import { words } from '../language/language.ts';

export const BOOKING_WORDS = words({
  en: {
    title: 'New appointment',
    move: 'Move the appointment',
    moveText: 'The patient gets the new time, and the old one becomes free.',
    service: 'Service',
    professional: 'With',
    anyone: 'Anybody who is free',
    day: 'Day',
    showTimes: 'Show free times',
    /** Where no scripts run. */
    showTimesHint: 'After a change here, press the button to see its free times.',
    /** Fields were changed after the times were shown. */
    otherTimes:
      'The service, the professional or the day was changed after these times were shown. Nothing is booked yet: choose one of the times for what stands here now.',
    time: 'Free times',
    noTimes: 'Nobody is free on this day. Try another day.',
    moreTimes: 'There are more: choose a professional to see theirs.',
    name: 'Patient’s name',
    phone: 'Patient’s phone',
    phoneHint:
      'As it is dialled in your country, or with + and another country. It is stored as a fingerprint that nobody can read.',
    /** Of an earlier visit. */
    phoneAgain: (day: string) => `Leave it empty for the phone of the visit on ${day}.`,
    notes: 'Notes',
    book: 'Book',
    moveButton: 'Move',
    nothingToBook: 'The clinic offers no service yet. Add one under Settings.',
    wrong: {
      service: 'Choose a service.',
      patientName: 'Write 1 to 200 characters.',
      patientPhone:
        'This is no phone number of your country. Write that of another country with + and the country, such as +351 912 345 678.',
      patientNotes: 'Write at most 1000 characters.',
      time: 'Choose a time.',
    },
    at: 'At (optional)',
    /** Above the times that somebody asked for. */
    wished: (time: string) => `At ${time}`,
    /** Nobody could take anybody then. */
    wishGone: (time: string) => `Nobody has time at ${time}.`,
    /** Above those that are near one which is taken. */
    near: 'Free near it',
    serviceFirst: 'Choose a service to see all times.',
    parts: { morning: 'Morning', afternoon: 'Afternoon', evening: 'Evening' },
    short: (minutes: number) => `only ${minutes} min`,
    outside: 'outside hours',
    past: 'already past',
    booked: (when: string, name: string) => `Booked for ${when} with ${name}.`,
    toDay: 'To the day',
  },
  pt: {
    title: 'Nova marcação',
    move: 'Remarcar',
    moveText: 'O paciente passa para o novo horário, e o antigo fica livre.',
    service: 'Serviço',
    professional: 'Profissional',
    anyone: 'Quem estiver livre',
    day: 'Dia',
    showTimes: 'Mostrar horários livres',
    showTimesHint: 'Depois de mudar algo aqui, carregue no botão para ver os horários livres.',
    otherTimes:
      'O serviço, o profissional ou o dia mudaram depois de estes horários serem mostrados. Ainda nada foi marcado: escolha um dos horários para o que está aqui agora.',
    time: 'Horários livres',
    noTimes: 'Ninguém está livre neste dia. Experimente outro dia.',
    moreTimes: 'Há mais: escolha um profissional para ver os seus.',
    name: 'Nome do paciente',
    phone: 'Telefone do paciente',
    phoneHint:
      'Como se marca no seu país, ou com + e outro país. Fica guardado de forma que ninguém o consegue ler.',
    phoneAgain: (day) => `Deixe vazio para usar o telefone da consulta de ${day}.`,
    notes: 'Notas',
    book: 'Marcar',
    moveButton: 'Remarcar',
    nothingToBook: 'A clínica ainda não tem serviços. Adicione um nas Definições.',
    wrong: {
      service: 'Escolha um serviço.',
      patientName: 'Escreva entre 1 e 200 caracteres.',
      patientPhone:
        'Este não é um número do seu país. Escreva o de outro país com + e o país, por exemplo +351 912 345 678.',
      patientNotes: 'Escreva no máximo 1000 caracteres.',
      time: 'Escolha um horário.',
    },
    at: 'Hora (opcional)',
    wished: (time) => `Às ${time}`,
    wishGone: (time) => `Ninguém tem tempo às ${time}.`,
    near: 'Livre por perto',
    serviceFirst: 'Escolha um serviço para ver todos os horários.',
    parts: { morning: 'Manhã', afternoon: 'Tarde', evening: 'Fim do dia' },
    short: (minutes) => `só ${minutes} min`,
    outside: 'fora do horário',
    past: 'já passou',
    booked: (when, name) => `Marcada para ${when} com ${name}.`,
    toDay: 'Para o dia',
  },
});
