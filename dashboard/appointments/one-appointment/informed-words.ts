import type { Words } from '../../language/language.ts';

interface InformedWords {
  /** Before the count: some know of it, nobody yet, nobody. */
  informed: string;
  soon: string;
  nobody: string;
  count: (told: string, total: string) => string;
  /** After the name of a receiver that does not know of it. */
  states: {
    first: string;
    again: (why: string, when: string) => string;
    failed: (event: string, why: string) => string;
    off: (event: string) => string;
    missed: (event: string) => string;
  };
  /** Whose turn it is. */
  turns: { ours: string; receiver: string; off: string; missed: string };
  /** To the page where it is done. */
  why: string;
  /** To those who cannot do it. */
  askThem: string;
}

export const INFORMED_WORDS: Words<InformedWords> = {
  en: {
    informed: 'Other systems informed ✓',
    soon: 'Other systems are being informed',
    nobody: 'Other systems are not informed',
    count: (told, total) => `(${told} of ${total})`,
    states: {
      first: 'hears of it now.',
      again: (why, when) => `has not taken it so far (${why}); we try again ${when}.`,
      failed: (event, why) => `did not take “${event}” in six attempts (${why}).`,
      off: (event) => `is switched off, so “${event}” was not sent.`,
      missed: (event) => `was switched off when “${event}” was to be sent.`,
    },
    turns: {
      ours: 'You need do nothing.',
      receiver: 'It is their turn; once it is mended, send it again.',
      off: 'It is your turn: enable it, then send what was missed.',
      missed: 'It is your turn: send what was missed.',
    },
    why: 'Why, and what to do',
    askThem: 'The owner or the manager can see why, and send it again.',
  },
  pt: {
    informed: 'Outros sistemas avisados ✓',
    soon: 'Outros sistemas estão a ser avisados',
    nobody: 'Outros sistemas não foram avisados',
    count: (told, total) => `(${told} de ${total})`,
    states: {
      first: 'está a ser avisado.',
      again: (why, when) => `até agora não aceitou (${why}); tentamos de novo ${when}.`,
      failed: (event, why) => `não aceitou “${event}” em seis tentativas (${why}).`,
      off: (event) => `está desligado, por isso “${event}” não foi enviado.`,
      missed: (event) => `estava desligado quando “${event}” ia ser enviado.`,
    },
    turns: {
      ours: 'Não precisa de fazer nada.',
      receiver: 'Agora é com eles; quando estiver resolvido, envie de novo.',
      off: 'Agora é consigo: ligue-o e envie o que faltou.',
      missed: 'Agora é consigo: envie o que faltou.',
    },
    why: 'Porquê, e o que fazer',
    askThem: 'Quem gere a clínica vê porquê e pode enviar de novo.',
  },
};
