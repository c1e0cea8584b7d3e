import type { FirstSteps } from '../../db/clinic/first-steps.ts';
import { words } from '../language/language.ts';

/** How many of today's appointments stand how. */
type Counted = 'ahead' | 'late' | 'attended' | 'noShow' | 'cancelled';

export const OVERVIEW_WORDS = words({
  en: {
    today: 'Today',
    counted: {
      ahead: 'to come',
      late: 'late, not checked in',
      attended: 'checked in',
      noShow: 'did not come',
      cancelled: 'cancelled',
    } satisfies Record<Counted, string>,
    left: 'Next patients',
    noneLeft: 'Nobody is expected any more today.',
    wholeDay: 'The whole day',
    attention: 'What needs somebody now',
    nothing: 'Nobody waits for you.',
    toReturn: (count: string) => `To call back (${count})`,
    allToReturn: 'All who wait to be called back',
    heldUp: (count: string) =>
      `Events are sent there, but it does not take them in time: ${count} wait for another attempt, which we make by ourselves.`,
    showEndpoint: 'Show the endpoint',
    givenUp: (count: string) =>
      `Given up or not sent any more in the last 24 hours: ${count}. Somebody has not heard of it.`,
    showGivenUp: 'Show and send again',
    lastDay: 'The last 24 hours',
    zone: (zone: string) => `Times are those of ${zone}.`,
    bookings: 'Bookings',
    deliveries: 'Webhook deliveries',
    failures: 'With a failed attempt',
    /** Of those with a failed attempt. */
    noneLost: 'All of them have arrived since, or are tried again.',
    lost: (count: string) =>
      `Given up or not sent any more: ${count}. The others have arrived since, or are tried again.`,
    atLeast: 'more than',
    /** `{total}`, `{most}`, `{from}` and `{to}` are put in. */
    chart: '{total} in 24 hours; most of them, {most}, from {from} to {to}.',
    emptyChart: 'None in 24 hours.',
    steps: {
      title: 'First steps',
      done: (count: string, total: string) => `${count} of ${total} done`,
      isDone: 'done',
    },
    /** What a clinic that begins has to do. */
    step: {
      hours: 'Say when the clinic is open',
      professionals: 'Add the professionals',
      services: 'Add the services',
      key: 'Make an API key for your other system',
      endpoint: 'Add a webhook endpoint, so that it hears of bookings',
      arrived: 'Send a test event',
    } satisfies Record<Exclude<keyof FirstSteps, 'appointments'>, string>,
  },
  pt: {
    today: 'Hoje',
    counted: {
      ahead: 'por chegar',
      late: 'atrasadas, sem presença',
      attended: 'com presença',
      noShow: 'faltas',
      cancelled: 'canceladas',
    },
    left: 'Próximos pacientes',
    noneLeft: 'Já não se espera ninguém hoje.',
    wholeDay: 'O dia inteiro',
    attention: 'O que precisa de alguém agora',
    nothing: 'Ninguém está à sua espera.',
    toReturn: (count) => `Chamadas por devolver (${count})`,
    allToReturn: 'Todas as chamadas por devolver',
    heldUp: (count) =>
      `Os eventos são enviados, mas não são aceites a tempo: ${count} esperam por outra tentativa, que fazemos sozinhos.`,
    showEndpoint: 'Ver o endpoint',
    givenUp: (count) => `Sem sucesso ou por enviar nas últimas 24 horas: ${count}. Alguém não foi avisado.`,
    showGivenUp: 'Ver e enviar de novo',
    lastDay: 'As últimas 24 horas',
    zone: (zone) => `As horas são as de ${zone}.`,
    bookings: 'Marcações feitas',
    deliveries: 'Entregas de webhooks',
    failures: 'Com uma tentativa falhada',
    noneLost: 'Todas chegaram entretanto ou são tentadas de novo.',
    lost: (count) =>
      `Sem sucesso ou por enviar: ${count}. As outras chegaram entretanto ou são tentadas de novo.`,
    atLeast: 'mais de',
    chart: '{total} em 24 horas; a maior parte, {most}, das {from} às {to}.',
    emptyChart: 'Nenhuma em 24 horas.',
    steps: {
      title: 'Primeiros passos',
      done: (count, total) => `${count} de ${total} feitos`,
      isDone: 'feito',
    },
    step: {
      hours: 'Dizer quando a clínica está aberta',
      professionals: 'Adicionar os profissionais',
      services: 'Adicionar os serviços',
      key: 'Criar uma chave de API para o seu outro sistema',
      endpoint: 'Adicionar um endpoint de webhook, para que ele saiba das marcações',
      arrived: 'Enviar um evento de teste',
    },
  },
});
