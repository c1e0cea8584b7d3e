import { words } from '../language/language.ts';

export const BOOKING_WORDS = words({
  en: {
    title: 'New appointment',
    move: 'Reschedule appointment',
    moveText: 'The appointment moves to the new time, and the old time becomes free.',
    service: 'Service',
    professional: 'With',
    anyone: 'Any available professional',
    day: 'Day',
    showTimes: 'Show free times',
    /** Shown when JavaScript is off. */
    showTimesHint: 'After you change these fields, press the button to see the free times.',
    /** Shown when fields were changed after the times were shown. */
    otherTimes:
      'You changed the service, the professional or the day, so the free times have changed. Nothing is booked yet. Choose one of the new times.',
    time: 'Free times',
    noTimes: 'There are no free times on this day. Choose another day.',
    moreTimes: 'Not all free times are shown. Choose a professional to see all of theirs.',
    name: 'Patient’s name',
    phone: 'Patient’s phone number',
    phoneHint: 'Local number, or + and country code. For privacy, we store the number only in coded form.',
    /** Offers the phone number of an earlier appointment. */
    phoneAgain: (day: string) => `Leave blank to use the phone number of the appointment on ${day}.`,
    notes: 'Notes',
    book: 'Book',
    moveButton: 'Reschedule',
    /** @param whom patients and times */
    bookAnyway: (whom: string) => `Book anyway, over ${whom}`,
    moveAnyway: (whom: string) => `Reschedule anyway, over ${whom}`,
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
    /** Heading for the times that match the requested one. */
    wished: (time: string) => `At ${time}`,
    /** Shown when no professional is free at the requested time. */
    wishGone: (time: string) => `No professional is free at ${time}.`,
    /** Heading for free times near the requested one. */
    near: 'Closest free times',
    serviceFirst: 'Choose a service to see the free times.',
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
    move: 'Remarcar a marcação',
    moveText: 'A marcação passa para o novo horário e o horário antigo fica livre.',
    service: 'Serviço',
    professional: 'Profissional',
    anyone: 'Qualquer profissional disponível',
    day: 'Dia',
    showTimes: 'Mostrar horários livres',
    showTimesHint: 'Depois de alterar estes campos, carregue no botão para ver os horários livres.',
    otherTimes:
      'Alterou o serviço, o profissional ou o dia, por isso os horários livres mudaram. Ainda não foi marcado nada. Escolha um dos novos horários.',
    time: 'Horários livres',
    noTimes: 'Não há horários livres neste dia. Escolha outro dia.',
    moreTimes:
      'Nem todos os horários livres são mostrados. Escolha um profissional para ver todos os horários livres desse profissional.',
    name: 'Nome do paciente',
    phone: 'Telefone do paciente',
    phoneHint:
      'Número nacional, ou número estrangeiro com + e o indicativo do país. Por privacidade, o número só fica guardado em forma codificada.',
    phoneAgain: (day) => `Deixe em branco para usar o telefone da marcação de ${day}.`,
    notes: 'Notas',
    book: 'Marcar',
    moveButton: 'Remarcar',
    bookAnyway: (whom) => `Marcar mesmo assim, ao mesmo tempo que ${whom}`,
    moveAnyway: (whom) => `Remarcar mesmo assim, ao mesmo tempo que ${whom}`,
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
    wishGone: (time) => `Nenhum profissional está livre às ${time}.`,
    near: 'Horários livres mais próximos',
    serviceFirst: 'Escolha um serviço para ver os horários livres.',
    parts: { morning: 'Manhã', afternoon: 'Tarde', evening: 'Fim do dia' },
    short: (minutes) => `só ${minutes} min`,
    outside: 'fora do horário da clínica',
    past: 'já passou',
    booked: (isMoved, when, name) => `${isMoved ? 'Remarcada' : 'Marcada'} para ${when} com ${name}.`,
    toDay: 'Voltar à agenda',
  },
});
