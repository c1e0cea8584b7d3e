import { words } from '../../language/language.ts';

export const FIGURE_WORDS = words({
  en: {
    title: 'How it has fared',
    figure: 'Figure',
    day: 'Last 24 hours',
    month: 'Last 30 days',
    deliveries: 'Deliveries',
    succeeded: 'Attempts that succeeded',
    half: 'Half were answered within',
    most: '95 of 100 were answered within',
    /** Where there is more than is counted. */
    cut: (most: string) => `Of an hour, and of a day of the month, the newest ${most} deliveries count.`,
  },
  pt: {
    title: 'Como tem corrido',
    figure: 'Medida',
    day: 'Últimas 24 horas',
    month: 'Últimos 30 dias',
    deliveries: 'Entregas',
    succeeded: 'Tentativas bem-sucedidas',
    half: 'Metade teve resposta em',
    most: '95 em 100 tiveram resposta em',
    cut: (most) => `De cada hora, e de cada dia do mês, contam as ${most} entregas mais recentes.`,
  },
});
