import type { Words } from '../language/language.ts';

interface OverviewWords {
  lastDay: string;
  bookings: string;
  deliveries: string;
  failures: string;
  /** Of those with a failed attempt. */
  noneLost: string;
  lost: (count: string) => string;
  atLeast: string;
  /** `{total}`, `{most}`, `{from}` and `{to}` are put in. */
  chart: string;
  emptyChart: string;
  left: string;
  noneLeft: string;
  wholeDay: string;
  showEndpoint: string;
  /** For a clinic that nobody is told of yet. */
  firstSteps: string;
  addEndpoint: string;
}

export const OVERVIEW_WORDS: Words<OverviewWords> = {
  en: {
    lastDay: 'The last 24 hours',
    bookings: 'Bookings',
    deliveries: 'Webhook deliveries',
    failures: 'With a failed attempt',
    noneLost: 'All of them have arrived since, or are tried again.',
    lost: (count) =>
      `Given up or not sent any more: ${count}. The others have arrived since, or are tried again.`,
    atLeast: 'more than',
    chart: '{total} in 24 hours; most of them, {most}, from {from} to {to}.',
    emptyChart: 'None in 24 hours.',
    left: 'Still to come today',
    noneLeft: 'Nobody is expected any more today.',
    wholeDay: 'The whole day',
    showEndpoint: 'Show the endpoint',
    firstSteps: 'No program is told of bookings yet.',
    addEndpoint: 'Add a webhook endpoint',
  },
  pt: {
    lastDay: 'As últimas 24 horas',
    bookings: 'Marcações feitas',
    deliveries: 'Entregas de webhooks',
    failures: 'Com uma tentativa falhada',
    noneLost: 'Todas chegaram entretanto ou são tentadas de novo.',
    lost: (count) =>
      `Sem sucesso ou por enviar: ${count}. As outras chegaram entretanto ou são tentadas de novo.`,
    atLeast: 'mais de',
    chart: '{total} em 24 horas; a maior parte, {most}, das {from} às {to}.',
    emptyChart: 'Nenhuma em 24 horas.',
    left: 'Ainda hoje',
    noneLeft: 'Já não se espera ninguém hoje.',
    wholeDay: 'O dia inteiro',
    showEndpoint: 'Ver o endpoint',
    firstSteps: 'Ainda nenhum programa é avisado das marcações.',
    addEndpoint: 'Adicionar um endpoint de webhook',
  },
};
