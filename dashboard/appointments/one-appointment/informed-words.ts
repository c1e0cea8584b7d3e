import { words } from '../../language/language.ts';

export const INFORMED_WORDS = words({
  en: {
    /** Some were notified, none yet, none. */
    informed: (told: string, total: string) => `${told} of ${total} systems notified`,
    soon: 'Notifying other systems',
    none: 'Other systems not notified',
    /** After the name of a system and a colon. */
    states: {
      first: 'sending now.',
      again: (why: string, when: string) => `couldn’t deliver (${why}). Retrying ${when}.`,
      failed: (event: string, why: string) => `“${event}” failed after six attempts (${why}).`,
      off: (event: string) => `the endpoint is disabled, so “${event}” was not sent.`,
      missed: (event: string) => `the endpoint was disabled, so “${event}” was not sent.`,
    },
    /** What to do. */
    turns: {
      ours: 'You don’t need to do anything.',
      receiver: 'Fix the endpoint, then resend.',
      off: 'Enable the endpoint, then resend.',
      missed: 'Resend it.',
    },
    /** Link to the delivery or the endpoint. */
    why: 'View details',
    /** For staff who cannot resend. */
    askThem: 'An owner or manager can see why, and resend it.',
  },
  pt: {
    informed: (told, total) => `${told} de ${total} sistemas avisados`,
    soon: 'Outros sistemas estão a ser avisados',
    none: 'Outros sistemas não foram avisados',
    states: {
      first: 'a enviar.',
      again: (why, when) => `não foi possível entregar (${why}). Nova tentativa ${when}.`,
      failed: (event, why) => `“${event}” falhou após seis tentativas (${why}).`,
      off: (event) => `o endpoint está desativado, por isso “${event}” não foi enviado.`,
      missed: (event) => `o endpoint estava desativado, por isso “${event}” não foi enviado.`,
    },
    turns: {
      ours: 'Não precisa de fazer nada.',
      receiver: 'Corrija o endpoint e reenvie.',
      off: 'Ative o endpoint e reenvie.',
      missed: 'Reenvie-o.',
    },
    why: 'Ver detalhes',
    askThem: 'O proprietário ou um gestor pode ver o motivo e reenviar.',
  },
});
