import { words } from '../language/language.ts';

export const KEPT_FORM_WORDS = words({
  en: {
    ended: 'Your session has ended',
    nothingChanged: 'Nothing has been changed.',
    /** What is to be done, by what has become of what was typed. */
    kept: 'What you typed is kept for an hour. Sign in again, and it is sent as you left it.',
    signInAndSend: 'Sign in and send it',
    notKept: 'What you typed still stands in the page before: go back and copy what you need, then sign in.',
    signIn: 'Sign in',
    ofPortal:
      'The link that you came by has ended. Go back to where you found it and ask for a new one; what you typed still stands in the page before.',
    /** In place of a part of a page that keeps itself up to date. */
    stands:
      'Your session has ended, so this is no longer kept up to date. What you have typed is not lost: its button still works.',
    signInBeside: 'Sign in, in a window beside this one',
    back: {
      title: 'You are signed in again',
      text: 'What you typed was kept, and is sent now. If nothing happens, press the button.',
      send: 'Send it now',
    },
    gone: {
      title: 'This form is no longer kept',
      text: 'It was sent already, an hour has passed, or somebody else typed it. See whether what you wanted has been done before you do it again.',
      first: 'To the first page',
    },
  },
  pt: {
    ended: 'A sua sessão terminou',
    nothingChanged: 'Nada foi alterado.',
    kept: 'O que escreveu fica guardado durante uma hora. Inicie sessão de novo, e é enviado como o deixou.',
    signInAndSend: 'Iniciar sessão e enviar',
    notKept:
      'O que escreveu continua na página anterior: volte atrás, copie o que precisar e depois inicie sessão.',
    signIn: 'Iniciar sessão',
    ofPortal:
      'A ligação pela qual veio terminou. Volte ao sítio onde a encontrou e peça outra; o que escreveu continua na página anterior.',
    stands:
      'A sua sessão terminou, por isso isto já não se atualiza. O que escreveu não se perdeu: o botão continua a funcionar.',
    signInBeside: 'Iniciar sessão, numa janela ao lado desta',
    back: {
      title: 'Tem a sessão iniciada de novo',
      text: 'O que escreveu ficou guardado e é enviado agora. Se nada acontecer, carregue no botão.',
      send: 'Enviar agora',
    },
    gone: {
      title: 'Este formulário já não está guardado',
      text: 'Já foi enviado, passou uma hora, ou foi outra pessoa que o escreveu. Veja se o que queria foi feito antes de o repetir.',
      first: 'Para a primeira página',
    },
  },
});
