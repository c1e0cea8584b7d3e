import { words } from '../language/language.ts';

export const BOOKING_WORDS = words({
  en: {
    title: 'New appointment',
    move: 'Reschedule appointment',
    moveText: 'The patient moves to the new time, and the old one becomes free.',
    service: 'Service',
    professional: 'With',
    anyone: 'Any available professional',
    day: 'Day',
    showTimes: 'Show free times',
    /** Without scripts. */
    showTimesHint: 'After you change something here, press the button to see the free times.',
    /** Fields were changed after the times were shown. */
    otherTimes:
      'You changed the service, the professional or the day after these times were shown. Nothing is booked yet. Choose one of the new times.',
    time: 'Free times',
    noTimes: 'No one is free on this day. Try another day.',
    moreTimes: 'There are more times. Choose a professional to see theirs.',
    name: 'Patient’s name',
    phone: 'Patient’s phone number',
    phoneHint: 'Local number, or + and country code. For privacy we store only a fingerprint of it.',
    /** Of an earlier appointment. */
    phoneAgain: (day: string) => `Leave blank to use the phone number of the appointment on ${day}.`,
    notes: 'Notes',
    book: 'Book',
    moveButton: 'Reschedule',
    nothingToBook: 'The clinic has no services yet. Add one under Settings.',
    wrong: {
      service: 'Choose a service.',
      patientName: 'Enter a name of 1 to 200 characters.',
      patientPhone:
        'Enter a valid phone number. For numbers abroad, start with + and the country code, for example {phone}.',
      patientNotes: 'Enter at most 1000 characters.',
      time: 'Choose a time.',
    },
    at: 'At (optional)',
    /** Above the times that match the request. */
    wished: (time: string) => `At ${time}`,
    /** No professional is free then. */
    wishGone: (time: string) => `No one is free at ${time}.`,
    /** Above the free times near a taken one. */
    near: 'Closest free times',
    serviceFirst: 'Choose a service to see times.',
    parts: { morning: 'Morning', afternoon: 'Afternoon', evening: 'Evening' },
    short: (minutes: number) => `only ${minutes} min`,
    outside: 'outside opening hours',
    past: 'has passed',
    booked: (isMoved: boolean, when: string, name: string) =>
      `${isMoved ? 'Rescheduled to' : 'Booked for'} ${when} with ${name}.`,
    toDay: 'Back to calendar',
  },
  pt: {
    title: 'Nova marcação',
    move: 'Remarcar',
    moveText: 'O paciente passa para o novo horário, e o antigo fica livre.',
    service: 'Serviço',
    professional: 'Profissional',
    anyone: 'Qualquer profissional disponível',
    day: 'Dia',
    showTimes: 'Mostrar horários livres',
    showTimesHint: 'Depois de alterar algo aqui, carregue no botão para ver os horários livres.',
    otherTimes:
      'O serviço, o profissional ou o dia mudaram depois de mostrados estes horários. Ainda nada foi marcado. Escolha um dos novos horários.',
    time: 'Horários livres',
    noTimes: 'Ninguém está livre neste dia. Experimente outro dia.',
    moreTimes: 'Há mais horários. Escolha um profissional para ver os dele.',
    name: 'Nome do paciente',
    phone: 'Telefone do paciente',
    phoneHint:
      'Número nacional, ou + e o indicativo do país. Por privacidade, o número não é guardado em claro.',
    phoneAgain: (day) => `Deixe em branco para usar o telefone da marcação de ${day}.`,
    notes: 'Notas',
    book: 'Marcar',
    moveButton: 'Remarcar',
    nothingToBook: 'A clínica ainda não tem serviços. Adicione um nas Definições.',
    wrong: {
      service: 'Escolha um serviço.',
      patientName: 'Escreva um nome com 1 a 200 caracteres.',
      patientPhone:
        'Escreva um número de telefone válido. Para números estrangeiros, comece por + e o indicativo, por exemplo {phone}.',
      patientNotes: 'Escreva no máximo 1000 caracteres.',
      time: 'Escolha um horário.',
    },
    at: 'Hora (opcional)',
    wished: (time) => `Às ${time}`,
    wishGone: (time) => `Ninguém está livre às ${time}.`,
    near: 'Horários livres mais próximos',
    serviceFirst: 'Escolha um serviço para ver os horários.',
    parts: { morning: 'Manhã', afternoon: 'Tarde', evening: 'Fim do dia' },
    short: (minutes) => `só ${minutes} min`,
    outside: 'fora do horário',
    past: 'já passou',
    booked: (isMoved, when, name) => `${isMoved ? 'Remarcada' : 'Marcada'} para ${when} com ${name}.`,
    toDay: 'Voltar à agenda',
  },
});
