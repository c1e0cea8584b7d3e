import { words } from '../../language/language.ts';

export const INFORMED_WORDS = words({
  en: {
    /** When some systems were notified, when the first notification is on its way, and when all of them failed. */
    informed: (told: string, total: string) => `${told} of ${total} other systems notified`,
    soon: 'Notifying other systems',
    none: 'Other systems not notified',
    /** After the name of a system and a colon. */
    states: {
      first: 'sending now.',
      again: (why: string, when: string) => `delivery failed (${why}). Retrying ${when}.`,
      refused: (why: string, when: string) => `does not accept events (${why}). Retrying ${when}.`,
      failed: (event: string, why: string) => `“${event}” failed after six attempts (${why}).`,
      off: (event: string) => `the endpoint is disabled, so “${event}” was not sent.`,
      missed: (event: string) => `the endpoint was disabled, so “${event}” was not sent.`,
    },
    /** What staff should do. */
    turns: {
      ours: 'You don’t need to do anything.',
      refused: 'The team responsible for that system needs to fix the problem.',
      receiver: 'Fix the endpoint, then resend the event.',
      off: 'Enable the endpoint, then resend the event.',
      missed: 'Resend the event.',
    },
    /** Link to the delivery or the endpoint. */
    why: 'View details',
    /** For staff who cannot resend. */
    askThem: 'An owner or manager can see the reason and resend the event.',
  },
  pt: {
    informed: (told, total) => `${told} de ${total} outros sistemas avisados`,
    soon: 'Outros sistemas estão a ser avisados',
    none: 'Outros sistemas não foram avisados',
    states: {
      first: 'envio em curso.',
      again: (why, when) => `não foi possível entregar (${why}). Nova tentativa ${when}.`,
      refused: (why, when) => `não aceita eventos (${why}). Nova tentativa ${when}.`,
      failed: (event, why) => `“${event}” falhou após seis tentativas (${why}).`,
      off: (event) => `o endpoint está desativado, por isso “${event}” não foi enviado.`,
      missed: (event) => `o endpoint estava desativado, por isso “${event}” não foi enviado.`,
    },
    turns: {
      ours: 'Não precisa de fazer nada.',
      refused: 'A equipa responsável por esse sistema tem de corrigir o problema.',
      receiver: 'Corrija o endpoint e depois reenvie o evento.',
      off: 'Ative o endpoint e depois reenvie o evento.',
      missed: 'Reenvie o evento.',
    },
    why: 'Ver detalhes',
    askThem: 'O proprietário ou um gestor pode ver o motivo e reenviar o evento.',
  },
});
