import type { FirstSteps } from '../../db/clinic/first-steps.ts';
import { words } from '../language/language.ts';

/** Today's appointments by status. */
type Counted = 'ahead' | 'late' | 'attended' | 'noShow' | 'cancelled';

export const OVERVIEW_WORDS = words({
  en: {
    today: 'Today',
    counted: {
      ahead: { one: 'upcoming', other: 'upcoming' },
      late: { one: 'late, not checked in', other: 'late, not checked in' },
      attended: { one: 'checked in', other: 'checked in' },
      noShow: { one: 'no-show', other: 'no-shows' },
      cancelled: { one: 'cancelled', other: 'cancelled' },
    } satisfies Record<Counted, { one: string; other: string }>,
    left: 'Next patients',
    noneLeft: 'No more appointments today.',
    wholeDay: 'Open calendar',
    attention: 'Needs attention',
    nothing: 'You’re all caught up.',
    toReturn: (count: string) => `To call back (${count})`,
    allToReturn: 'All calls to return',
    heldUp: (count: string) =>
      `This endpoint isn’t accepting events. Waiting deliveries: ${count}. We retry automatically.`,
    showEndpoint: 'View endpoint',
    undelivered: (count: string) => `Deliveries that failed or were not sent in the last 24 hours: ${count}.`,
    showUndelivered: 'View and resend',
    lastDay: 'Last 24 hours',
    bookings: 'Bookings',
    deliveries: 'Webhook deliveries',
    noBookings: 'No bookings in the last 24 hours.',
    noDeliveries: 'No deliveries in the last 24 hours.',
    failures: (count: string) => `Deliveries with a failed attempt: ${count}.`,
    /** When all deliveries with a failed attempt have since arrived or are being retried. */
    noneLost: 'None failed for good.',
    lost: (count: string) =>
      `Failed or not sent: ${count}. The other deliveries have since succeeded or are being retried.`,
    atLeast: 'more than',
    steps: {
      title: 'First steps',
      done: (count: string, total: string) => `${count} of ${total} done`,
      isDone: 'done',
    },
    /** Setup steps of a new clinic. */
    step: {
      hours: 'Set opening hours',
      professionals: 'Add your team',
      services: 'Add your services',
      receptionist: 'Set up the AI receptionist',
      booking: 'Turn on online booking',
      key: 'Create an API key for your practice software',
      endpoint: 'Add a webhook endpoint so your practice software receives bookings',
      arrived: 'Send a test event',
    } satisfies Record<Exclude<keyof FirstSteps, 'appointments'>, string>,
  },
  pt: {
    today: 'Hoje',
    counted: {
      ahead: { one: 'por atender', other: 'por atender' },
      late: { one: 'atrasada, sem presença registada', other: 'atrasadas, sem presença registada' },
      attended: { one: 'já chegou', other: 'já chegaram' },
      noShow: { one: 'falta', other: 'faltas' },
      cancelled: { one: 'cancelada', other: 'canceladas' },
    },
    left: 'Próximos pacientes',
    noneLeft: 'Hoje já não há mais marcações.',
    wholeDay: 'Ver a agenda',
    attention: 'Requer atenção',
    nothing: 'Está tudo em dia.',
    toReturn: (count) => `Chamadas por devolver (${count})`,
    allToReturn: 'Todas as chamadas por devolver',
    heldUp: (count) =>
      `Este endpoint não está a aceitar eventos. Entregas à espera: ${count}. Tentamos de novo automaticamente.`,
    showEndpoint: 'Ver o endpoint',
    undelivered: (count) => `Entregas que falharam ou não foram enviadas nas últimas 24 horas: ${count}.`,
    showUndelivered: 'Ver e reenviar',
    lastDay: 'Últimas 24 horas',
    bookings: 'Marcações feitas',
    deliveries: 'Entregas de webhooks',
    noBookings: 'Não houve marcações nas últimas 24 horas.',
    noDeliveries: 'Não houve entregas nas últimas 24 horas.',
    failures: (count) => `Entregas com uma tentativa falhada: ${count}.`,
    noneLost: 'Nenhuma falhou em definitivo.',
    lost: (count) =>
      `Falharam ou não foram enviadas: ${count}. As outras entregas foram entretanto concluídas ou aguardam nova tentativa.`,
    atLeast: 'mais de',
    steps: {
      title: 'Primeiros passos',
      done: (count, total) => `${count} de ${total} feitos`,
      isDone: 'feito',
    },
    step: {
      hours: 'Definir o horário da clínica',
      professionals: 'Adicionar a equipa',
      services: 'Adicionar os serviços',
      receptionist: 'Configurar a rececionista de IA',
      booking: 'Ativar as marcações online',
      key: 'Criar uma chave de API para o software da clínica',
      endpoint:
        'Adicionar um endpoint de webhook, para que o software da clínica receba os dados das marcações',
      arrived: 'Enviar um evento de teste',
    },
  },
});
