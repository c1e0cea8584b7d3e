import { words } from '../../language/language.ts';
import type { Obstacle } from './resend-plan.ts';

/** For resending several deliveries. */
export const RESEND_WORDS = words({
  en: {
    /** In a row of the list. */
    pick: 'Choose',
    choose: 'Resend selected…',
    chooseAll: 'Select all on this page',
    title: 'Resend deliveries',
    none: 'None of these can be resent right now.',
    text: (count: number, shown: string) =>
      count === 1
        ? 'One delivery will be resent as a new delivery, with its own attempts:'
        : `${shown} deliveries will be resent as new deliveries, each with its own attempts:`,
    left: 'Not resent:',
    /** Why some are not resent. */
    obstacles: {
      sent_again: (count, shown) =>
        count === 1 ? 'One has already been resent.' : `${shown} have already been resent.`,
      open: (count, shown) => (count === 1 ? 'One is still in progress.' : `${shown} are still in progress.`),
      endpoint_off: (count, shown) =>
        count === 1
          ? 'One has an endpoint that is disabled or deleted. Enable the endpoint first.'
          : `${shown} have endpoints that are disabled or deleted. Enable the endpoints first.`,
      body_gone: (count, shown) =>
        count === 1
          ? 'One has an event whose content has been deleted.'
          : `${shown} have events whose content has been deleted.`,
    } satisfies Record<Obstacle, (count: number, shown: string) => string>,
    button: (shown: string) => `Resend ${shown} now`,
    back: 'Back to deliveries',
    /** After missed events were resent, waiting ones retried, or selected ones resent. */
    sent: (count: number, shown: string) => {
      if (count === 0) return 'No events are missed any more, so nothing was resent.';
      return count === 1
        ? 'One missed event queued for resending. It appears below when it is sent.'
        : `${shown} missed events queued for resending, in the order in which they happened. They appear below as they are sent.`;
    },
    retried: (count: number, shown: string) => {
      if (count === 0) return 'No deliveries are waiting any more.';
      return count === 1 ? 'Retrying one delivery now.' : `Retrying ${shown} deliveries now.`;
    },
    resent: (count: number, shown: string) => {
      if (count === 0) return 'None of these could be resent any more.';
      return count === 1 ? 'Resending one delivery.' : `Resending ${shown} deliveries.`;
    },
  },
  pt: {
    pick: 'Escolher',
    choose: 'Reenviar as selecionadas…',
    chooseAll: 'Selecionar todas nesta página',
    title: 'Reenviar entregas',
    none: 'Nenhuma destas entregas pode ser reenviada agora.',
    text: (count, shown) =>
      count === 1
        ? 'Uma entrega será reenviada como nova entrega, com as suas próprias tentativas:'
        : `${shown} entregas serão reenviadas como novas entregas, cada uma com as suas próprias tentativas:`,
    left: 'Não reenviadas:',
    obstacles: {
      sent_again: (count, shown) => (count === 1 ? 'Uma já foi reenviada.' : `${shown} já foram reenviadas.`),
      open: (count, shown) => (count === 1 ? 'Uma ainda está em curso.' : `${shown} ainda estão em curso.`),
      endpoint_off: (count, shown) =>
        count === 1
          ? 'Uma tem um endpoint desativado ou eliminado. Ative-o primeiro.'
          : `${shown} têm endpoints desativados ou eliminados. Ative-os primeiro.`,
      body_gone: (count, shown) =>
        count === 1
          ? 'Uma tem um evento cujo conteúdo já foi apagado.'
          : `${shown} têm eventos cujo conteúdo já foi apagado.`,
    },
    button: (shown) => `Reenviar ${shown} agora`,
    back: 'Voltar às entregas',
    sent: (count, shown) => {
      if (count === 0) return 'Já não há eventos em falta, por isso nada foi reenviado.';
      return count === 1
        ? 'Um evento em falta será reenviado. Aparece em baixo quando for enviado.'
        : `${shown} eventos em falta serão reenviados, pela ordem em que aconteceram. Aparecem em baixo à medida que são enviados.`;
    },
    retried: (count, shown) => {
      if (count === 0) return 'Já não há entregas à espera.';
      return count === 1 ? 'A tentar de novo uma entrega.' : `A tentar de novo ${shown} entregas.`;
    },
    resent: (count, shown) => {
      if (count === 0) return 'Nenhuma destas entregas pôde ser reenviada.';
      return count === 1 ? 'A reenviar uma entrega.' : `A reenviar ${shown} entregas.`;
    },
  },
});
