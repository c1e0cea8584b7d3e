import { words } from '../../language/language.ts';
import type { Obstacle } from './resend-plan.ts';

/** About several deliveries that are to be sent again. */
export const RESEND_WORDS = words({
  en: {
    /** Of a row of the list. */
    pick: 'Choose',
    choose: 'Resend what is ticked…',
    chooseAll: 'Tick all on this page',
    title: 'Resend deliveries',
    none: 'Nothing of it can be sent again now.',
    text: (count: number, shown: string) =>
      count === 1
        ? 'One delivery is sent again, as a new one with attempts of its own:'
        : `${shown} deliveries are sent again, each as a new one with attempts of its own:`,
    left: 'Not sent again:',
    /** Why some are not sent again. */
    obstacles: {
      sent_again: (count, shown) =>
        count === 1 ? 'One was sent again since.' : `${shown} were sent again since.`,
      open: (count, shown) =>
        count === 1
          ? 'One is still under way, and goes by itself.'
          : `${shown} are still under way, and go by themselves.`,
      endpoint_off: (count, shown) =>
        count === 1
          ? 'The endpoint of one is off or deleted: enable it first.'
          : `The endpoints of ${shown} are off or deleted: enable them first.`,
      body_gone: (count, shown) =>
        count === 1
          ? 'What the event of one said is no longer kept.'
          : `What the events of ${shown} said is no longer kept.`,
    } satisfies Record<Obstacle, (count: number, shown: string) => string>,
    button: (shown: string) => `Resend ${shown} now`,
    back: 'Back to the deliveries',
    /** After the missed events were to be sent, what waits was to be tried, or what was chosen to be sent again. */
    sent: (count: number, shown: string) => {
      if (count === 0) return 'Nothing is missed any more, so nothing is sent again.';
      const events = count === 1 ? 'One missed event is' : `${shown} missed events are`;
      return `${events} sent again, in the order in which they happened. They appear below as they go.`;
    },
    retried: (count: number, shown: string) => {
      if (count === 0) return 'Nothing waits for a retry any more.';
      return count === 1 ? 'One delivery is tried again now.' : `${shown} deliveries are tried again now.`;
    },
    resent: (count: number, shown: string) => {
      if (count === 0) return 'Nothing of it could be sent again any more.';
      return count === 1 ? 'One delivery is sent again.' : `${shown} deliveries are sent again.`;
    },
  },
  pt: {
    pick: 'Escolher',
    choose: 'Reenviar o que está marcado…',
    chooseAll: 'Marcar tudo nesta página',
    title: 'Reenviar entregas',
    none: 'Nada disto pode ser reenviado agora.',
    text: (count, shown) =>
      count === 1
        ? 'É reenviada uma entrega, como uma nova com as suas próprias tentativas:'
        : `São reenviadas ${shown} entregas, cada uma como uma nova com as suas próprias tentativas:`,
    left: 'Não reenviadas:',
    obstacles: {
      sent_again: (count, shown) =>
        count === 1 ? 'Uma já foi reenviada entretanto.' : `${shown} já foram reenviadas entretanto.`,
      open: (count, shown) =>
        count === 1
          ? 'Uma ainda está em curso e segue sem que precise de pedir.'
          : `${shown} ainda estão em curso e seguem sem que precise de pedir.`,
      endpoint_off: (count, shown) =>
        count === 1
          ? 'O endpoint de uma está desligado ou foi eliminado: ligue-o primeiro.'
          : `Os endpoints de ${shown} estão desligados ou foram eliminados: ligue-os primeiro.`,
      body_gone: (count, shown) =>
        count === 1
          ? 'O conteúdo do evento de uma já não está guardado.'
          : `O conteúdo dos eventos de ${shown} já não está guardado.`,
    },
    button: (shown) => `Reenviar ${shown} agora`,
    back: 'Voltar às entregas',
    sent: (count, shown) => {
      if (count === 0) return 'Já não falta nada, por isso nada é reenviado.';
      const events =
        count === 1 ? 'Um evento em falta é reenviado' : `${shown} eventos em falta são reenviados`;
      return `${events}, pela ordem em que aconteceram. Aparecem em baixo à medida que seguem.`;
    },
    retried: (count, shown) => {
      if (count === 0) return 'Já nada espera por nova tentativa.';
      return count === 1
        ? 'Uma entrega é tentada de novo agora.'
        : `${shown} entregas são tentadas de novo agora.`;
    },
    resent: (count, shown) => {
      if (count === 0) return 'Já nada disso pôde ser reenviado.';
      return count === 1 ? 'Uma entrega é reenviada.' : `São reenviadas ${shown} entregas.`;
    },
  },
});
