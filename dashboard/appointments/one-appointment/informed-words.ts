import { words } from '../../language/language.ts';

export const INFORMED_WORDS = words({
  en: {
    /** Before the count: some know of it, nobody yet, nobody. */
    informed: 'Other systems informed ✓',
    soon: 'Other systems are being informed',
    nobody: 'Other systems are not informed',
    count: (told: string, total: string) => `(${told} of ${total})`,
    /** After the name of a receiver that does not know of it. */
    states: {
      first: 'hears of it now.',
      again: (why: string, when: string) => `has not taken it so far (${why}); we try again ${when}.`,
      failed: (event: string, why: string) => `did not take “${event}” in six attempts (${why}).`,
      off: (event: string) => `is switched off, so “${event}” was not sent.`,
      missed: (event: string) => `was switched off when “${event}” was to be sent.`,
    },
    /** Whose turn it is. */
    turns: {
      ours: 'You need do nothing.',
      receiver: 'It is their turn; once it is mended, send it again.',
      off: 'It is your turn: enable it, then send what was missed.',
      missed: 'It is your turn: send what was missed.',
    },
    /** To the page where it is done. */
    why: 'Why, and what to do',
    /** To those who cannot do it. */
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
});
