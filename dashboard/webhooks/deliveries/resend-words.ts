import { words } from '../../language/language.ts';
import type { Obstacle } from './resend-plan.ts';

/** For resending several deliveries. */
export const RESEND_WORDS = words({
  en: {
    /** In a row of the list. */
    pick: 'Select',
    choose: 'Resend selected…',
    chooseAll: 'Select all on this page',
    title: 'Resend deliveries',
    none: 'None of these deliveries can be resent right now.',
    text: (count: number, shown: string) =>
      count === 1
        ? 'One delivery will be resent as a new delivery, with its own attempts:'
        : `${shown} deliveries will be resent as new deliveries, each with its own attempts:`,
    left: 'Deliveries that will not be resent:',
    /** Why some of the selected deliveries are not resent. */
    obstacles: {
      sent_again: (count, shown) =>
        count === 1
          ? 'One delivery has already been resent.'
          : `${shown} deliveries have already been resent.`,
      open: (count, shown) =>
        count === 1 ? 'One delivery is still in progress.' : `${shown} deliveries are still in progress.`,
      endpoint_off: (count, shown) =>
        count === 1
          ? 'The endpoint of one delivery is disabled or deleted. If it is disabled, enable it first.'
          : `The endpoints of ${shown} deliveries are disabled or deleted. Enable the disabled endpoints first.`,
      body_gone: (count, shown) =>
        count === 1
          ? 'The content of one delivery’s event has been deleted.'
          : `The content of ${shown} deliveries’ events has been deleted.`,
    } satisfies Record<Obstacle, (count: number, shown: string) => string>,
    button: (shown: string) => `Resend ${shown} now`,
    back: 'Back to deliveries',
    /** After missed events were resent, waiting ones retried, or selected ones resent. */
    sent: (count: number, shown: string) => {
      if (count === 0) return 'There are no longer any missed events, so nothing was resent.';
      return count === 1
        ? 'One missed event will be resent. It appears below when it is sent.'
        : `${shown} missed events will be resent in the order in which they happened. They appear below as they are sent.`;
    },
    retried: (count: number, shown: string) => {
      if (count === 0) return 'No deliveries are waiting any longer.';
      return count === 1 ? 'Retrying one delivery now.' : `Retrying ${shown} deliveries now.`;
    },
    resent: (count: number, shown: string) => {
      if (count === 0) return 'None of these deliveries could be resent.';
      return count === 1 ? 'Resending one delivery.' : `Resending ${shown} deliveries.`;
    },
  },
  pt: {
    pick: 'Selecionar',
    choose: 'Reenviar as selecionadas…',
    chooseAll: 'Selecionar todas nesta página',
    title: 'Reenviar entregas',
    none: 'Nenhuma destas entregas pode ser reenviada agora.',
    text: (count, shown) =>
      count === 1
        ? 'Uma entrega será reenviada como nova entrega, com as suas próprias tentativas:'
        : `${shown} entregas serão reenviadas como novas entregas, cada uma com as suas próprias tentativas:`,
    left: 'Entregas que não serão reenviadas:',
    obstacles: {
      sent_again: (count, shown) =>
        count === 1 ? 'Uma entrega já foi reenviada.' : `${shown} entregas já foram reenviadas.`,
      open: (count, shown) =>
        count === 1 ? 'Uma entrega ainda está em curso.' : `${shown} entregas ainda estão em curso.`,
      endpoint_off: (count, shown) =>
        count === 1
          ? 'O endpoint de uma entrega está desativado ou foi eliminado. Se o endpoint estiver desativado, ative-o primeiro.'
          : `Os endpoints de ${shown} entregas estão desativados ou foram eliminados. Ative primeiro os endpoints desativados.`,
      body_gone: (count, shown) =>
        count === 1
          ? 'O conteúdo do evento de uma entrega já foi eliminado.'
          : `O conteúdo dos eventos de ${shown} entregas já foi eliminado.`,
    },
    button: (shown) => `Reenviar ${shown} agora`,
    back: 'Voltar às entregas',
    sent: (count, shown) => {
      if (count === 0) return 'Já não há eventos em falta, por isso não foi reenviado nada.';
      return count === 1
        ? 'Um evento em falta será reenviado. A entrega aparece em baixo quando for enviada.'
        : `${shown} eventos em falta serão reenviados, pela ordem em que aconteceram. As entregas aparecem em baixo à medida que são enviadas.`;
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
