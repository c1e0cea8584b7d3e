import { words } from '../language/language.ts';

export const KEPT_FORM_WORDS = words({
  en: {
    ended: 'Your session has expired',
    nothingChanged: 'Your change hasn’t been saved.',
    /** What happened to the submitted form. */
    kept: 'What you entered is kept for an hour. Sign in and we’ll submit it.',
    signInAndSend: 'Sign in and submit',
    notKept: 'Go back to copy what you typed, then sign in.',
    signIn: 'Sign in',
    ofPortal:
      'Your link has expired. Go back to copy what you typed, then get a new link from the same place.',
    /** Shown instead of the part of a page that refreshes itself. */
    stands:
      'Your session has expired, so this page no longer updates itself. What you typed isn’t lost; you can still submit it.',
    signInBeside: 'Sign in in a new window',
    back: {
      title: 'You’re signed in again',
      text: 'We’re submitting what you typed. If nothing happens, press the button.',
      send: 'Submit now',
    },
    gone: {
      title: 'This form is no longer available',
      text: 'More than an hour has passed, or the form was filled in by someone else. Check whether your change was saved before you try again.',
      first: 'Go to overview',
    },
  },
  pt: {
    ended: 'A sua sessão expirou',
    nothingChanged: 'A sua alteração ainda não foi guardada.',
    kept: 'O que escreveu fica guardado durante uma hora. Inicie sessão e nós enviamos o formulário.',
    signInAndSend: 'Iniciar sessão e enviar',
    notKept: 'Volte atrás para copiar o que escreveu e depois inicie sessão.',
    signIn: 'Iniciar sessão',
    ofPortal:
      'Este link expirou. Volte atrás para copiar o que escreveu e obtenha um novo link no mesmo sítio em que encontrou este.',
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
      text: 'Passou mais de uma hora ou o formulário foi preenchido por outra pessoa. Verifique se a sua alteração ficou guardada antes de tentar de novo.',
      first: 'Voltar ao resumo',
    },
  },
});
