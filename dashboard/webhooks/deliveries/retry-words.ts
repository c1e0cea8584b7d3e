import { words } from '../../language/language.ts';

/** For retrying all waiting deliveries of an endpoint. */
export const RETRY_WORDS = words({
  en: {
    uses: (deliveries: number, shown: string) =>
      deliveries === 1 ? 'Sends one waiting delivery again.' : `Sends ${shown} waiting deliveries again.`,
    left: (deliveries: number, attempts: number) =>
      `${deliveries === 1 ? 'It' : 'Each'} will have ${attempts === 1 ? 'one attempt' : `${attempts} attempts`} left.`,
    last: 'This is the last attempt. If it fails, the delivery fails; you can still resend it.',
    sure: 'Yes, use the last attempts now',
    unsure: 'Tick the box to use the last attempts.',
    /** `open` includes deliveries that are being sent. */
    button: (count: string, open: string) =>
      open === count ? `Retry all waiting deliveries now (${count})` : `Retry ${count} of ${open} now`,
  },
  pt: {
    uses: (deliveries, shown) =>
      deliveries === 1
        ? 'Faz já a próxima tentativa de uma entrega à espera.'
        : `Faz já a próxima tentativa de ${shown} entregas à espera.`,
    left: (deliveries, attempts) =>
      `${deliveries === 1 ? 'Fica' : 'Cada uma fica'} com mais ${attempts === 1 ? 'uma tentativa' : `${attempts} tentativas`}.`,
    last: 'Esta é a última tentativa. Se a tentativa falhar, a entrega falha, mas ainda pode ser reenviada.',
    sure: 'Sim, usar já as últimas tentativas',
    unsure: 'Assinale a caixa para usar as últimas tentativas.',
    button: (count, open) =>
      open === count ? `Tentar já todas as entregas à espera (${count})` : `Tentar já ${count} de ${open}`,
  },
});
