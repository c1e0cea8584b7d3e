import { words } from '../../language/language.ts';

export const FIGURE_WORDS = words({
  en: {
    title: 'Performance',
    figure: 'Metric',
    day: 'Last 24 hours',
    month: 'Last 30 days',
    deliveries: 'Deliveries',
    succeeded: 'Successful attempts',
    half: 'Median response time',
    most: '95th percentile',
    /** If there is more than was counted. */
    cut: (most: string) =>
      `Based on the newest ${most} deliveries of each hour, and of each day of the month.`,
  },
  pt: {
    title: 'Desempenho',
    figure: 'Métrica',
    day: 'Últimas 24 horas',
    month: 'Últimos 30 dias',
    deliveries: 'Entregas',
    succeeded: 'Tentativas bem-sucedidas',
    half: 'Tempo de resposta mediano',
    most: 'Percentil 95',
    cut: (most) => `Com base nas ${most} entregas mais recentes de cada hora e de cada dia do mês.`,
  },
});
