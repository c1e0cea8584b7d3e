import { words } from '../language/language.ts';

export const KEPT_FORM_WORDS = words({
  en: {
    ended: 'Your session has expired',
    nothingChanged: 'Your change hasn’t been saved.',
    /** By what happened to the submitted form. */
    kept: 'Your work is kept for an hour. Sign in and we’ll submit it.',
    signInAndSend: 'Sign in and submit',
    notKept: 'Go back to copy what you typed, then sign in.',
    signIn: 'Sign in',
    ofPortal:
      'Your link has expired. Go back to copy what you typed, then ask for a new link where you found this one.',
    /** Replaces a part of a page that refreshes itself. */
    stands:
      'Your session has expired, so this page is no longer updated. What you typed isn’t lost; you can still submit it.',
    signInBeside: 'Sign in in a new window',
    back: {
      title: 'You’re signed in again',
      text: 'We’re submitting what you typed. If nothing happens, press the button.',
      send: 'Submit now',
    },
    gone: {
      title: 'This form is no longer available',
      text: 'An hour has passed, or someone else filled it in. Check whether your change was made before you try again.',
      first: 'Go to overview',
    },
  },
  pt: {
    ended: 'A sua sessão expirou',
    nothingChanged: 'A sua alteração ainda não foi guardada.',
    kept: 'O que escreveu fica guardado durante uma hora. Inicie sessão para o enviarmos.',
    signInAndSend: 'Iniciar sessão e enviar',
    notKept: 'Volte atrás para copiar o que escreveu e depois inicie sessão.',
    signIn: 'Iniciar sessão',
    ofPortal:
      'Este link expirou. Volte atrás para copiar o que escreveu e peça um novo link no sítio onde encontrou este.',
    stands:
      'A sua sessão expirou, por isso esta página já não se atualiza. O que escreveu não se perdeu e ainda pode ser enviado.',
    signInBeside: 'Iniciar sessão numa nova janela',
    back: {
      title: 'Sessão iniciada de novo',
      text: 'Estamos a enviar o que escreveu. Se nada acontecer, carregue no botão.',
      send: 'Enviar agora',
    },
    gone: {
      title: 'Este formulário já não está disponível',
      text: 'Passou uma hora, ou foi preenchido por outra pessoa. Verifique se a sua alteração foi feita antes de tentar de novo.',
      first: 'Voltar ao resumo',
    },
  },
});
