import { words } from '../../language/language.ts';

/** For retrying all waiting deliveries of an endpoint. */
export const RETRY_WORDS = words({
  en: {
    text: 'Makes the next attempt of every waiting delivery now, oldest first:',
    attempt: (number: string, most: string) => `attempt ${number} of ${most}`,
    left: (count: string) => `${count} left afterwards`,
    last: 'the last one. If it fails, the delivery fails; you can still resend it.',
    uses: (deliveries: string, attempt: string, left: string) =>
      `Deliveries: ${deliveries} – ${attempt}, ${left}`,
    sure: 'Yes, use the last attempts now',
    unsure: 'Tick the box to use the last attempts.',
    button: (count: string) => `Retry all waiting deliveries now (${count})`,
  },
  pt: {
    text: 'Faz já a próxima tentativa de todas as entregas à espera, das mais antigas para as mais recentes:',
    attempt: (number, most) => `tentativa ${number} de ${most}`,
    left: (count) => `depois restam ${count}`,
    last: 'a última. Se falhar, a entrega falha; ainda a pode reenviar.',
    uses: (deliveries, attempt, left) => `Entregas: ${deliveries} – ${attempt}, ${left}`,
    sure: 'Sim, usar já as últimas tentativas',
    unsure: 'Assinale a caixa para usar as últimas tentativas.',
    button: (count) => `Tentar já todas as entregas à espera (${count})`,
  },
});
