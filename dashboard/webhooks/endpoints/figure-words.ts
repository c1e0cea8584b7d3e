import { words } from '../../language/language.ts';

export const FIGURE_WORDS = words({
  en: {
    title: 'Performance',
    attempts: 'Attempts in the last 24 hours',
    noAttempts: 'Nothing was sent in the last 24 hours.',
    latest: 'Latest deliveries',
    noneYet: 'Nothing has been sent to this endpoint yet.',
    figure: 'Metric',
    day: 'Last 24 hours',
    month: 'Last 30 days',
    deliveries: 'Deliveries',
    succeeded: 'Successful attempts',
    half: 'Median response time',
    most: '95th percentile',
    /** Shown when there were more deliveries than were counted. */
    cut: (most: string) =>
      `Based on the newest ${most} deliveries of each hour (last 24 hours) or each day (last 30 days).`,
  },
  pt: {
    title: 'Desempenho',
    attempts: 'Tentativas nas últimas 24 horas',
    noAttempts: 'Nas últimas 24 horas não foi enviado nada.',
    latest: 'Últimas entregas',
    noneYet: 'Ainda não foi enviado nada para este endpoint.',
    figure: 'Métrica',
    day: 'Últimas 24 horas',
    month: 'Últimos 30 dias',
    deliveries: 'Entregas',
    succeeded: 'Tentativas bem-sucedidas',
    half: 'Tempo de resposta mediano',
    most: 'Percentil 95',
    cut: (most) =>
      `Com base nas ${most} entregas mais recentes de cada hora (últimas 24 horas) ou de cada dia (últimos 30 dias).`,
  },
});
