import { words } from '../language/language.ts';

export const SESSION_WORDS = words({
  en: {
    own: {
      title: 'Where you are signed in',
      intro:
        'Each browser in which you are signed in now. End those that you do not know or no longer use, and tell the owner of your clinic if there are any that you cannot explain.',
    },
    ofClinic: {
      intro:
        'Each browser in which somebody of the clinic, or a partner by a portal link, is signed in now. What you end is over with its next click; who may come in again is decided where people sign in.',
    },
    heads: {
      who: 'Who',
      device: 'Browser',
      lastUsed: 'Last used',
      from: 'From the address',
      signedIn: 'Signed in',
    },
    none: 'Nobody is signed in.',
    on: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: 'It does not say',
    thisOne: 'This one',
    end: 'End it',
  },
  pt: {
    own: {
      title: 'Onde tem sessão iniciada',
      intro:
        'Cada navegador em que tem agora sessão iniciada. Termine as que não conhece ou já não usa, e avise o proprietário da clínica se houver alguma que não saiba explicar.',
    },
    ofClinic: {
      intro:
        'Cada navegador em que alguém da clínica, ou um parceiro através de uma ligação ao portal, tem agora sessão iniciada. O que terminar acaba no clique seguinte; quem pode voltar a entrar decide-se onde as pessoas iniciam sessão.',
    },
    heads: {
      who: 'Quem',
      device: 'Navegador',
      lastUsed: 'Última utilização',
      from: 'A partir do endereço',
      signedIn: 'Início de sessão',
    },
    none: 'Ninguém tem sessão iniciada.',
    on: (browser, system) => `${browser} em ${system}`,
    unknown: 'Não diz',
    thisOne: 'Esta',
    end: 'Terminar',
  },
});
