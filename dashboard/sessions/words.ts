import { words } from '../language/language.ts';

export const SESSION_WORDS = words({
  en: {
    own: {
      title: 'Your sessions',
      intro:
        'Devices on which you’re signed in. End sessions that you don’t recognise or no longer use. If you don’t recognise a session, tell the owner of your clinic.',
    },
    ofClinic: {
      intro:
        'Devices on which your team and integration partners are signed in. When you end a session, that device is signed out at the next click. The person’s account is not removed.',
    },
    heads: {
      who: 'Who',
      device: 'Device',
      lastUsed: 'Last used',
      from: 'IP address',
      signedIn: 'Signed in',
    },
    none: 'No one is signed in.',
    on: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: 'Unknown',
    thisOne: 'This device',
    end: 'End session',
  },
  pt: {
    own: {
      title: 'As suas sessões',
      intro:
        'Dispositivos em que tem sessão iniciada. Termine as sessões que não reconheça ou que já não use. Se não reconhecer uma sessão, avise o proprietário da clínica.',
    },
    ofClinic: {
      intro:
        'Dispositivos em que a equipa e os parceiros de integração têm sessão iniciada. Quando termina uma sessão, o dispositivo perde o acesso no clique seguinte; a conta da pessoa mantém-se.',
    },
    heads: {
      who: 'Quem',
      device: 'Dispositivo',
      lastUsed: 'Última utilização',
      from: 'Endereço IP',
      signedIn: 'Início de sessão',
    },
    none: 'Ninguém tem sessão iniciada.',
    on: (browser, system) => `${browser} em ${system}`,
    unknown: 'Desconhecido',
    thisOne: 'Este dispositivo',
    end: 'Terminar sessão',
  },
});
