import { words } from '../language/language.ts';

export const SESSION_WORDS = words({
  en: {
    own: {
      title: 'Your sessions',
      intro:
        'Devices where you’re signed in. End sessions that you don’t recognise or no longer use, and tell the owner of your clinic about any you can’t explain.',
    },
    ofClinic: {
      intro:
        'Devices where your team and integration partners are signed in. Ending a session signs that device out at its next click; it doesn’t remove the person’s account.',
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
        'Dispositivos onde tem sessão iniciada. Termine as sessões que não reconhece ou já não usa. Se não reconhecer alguma, avise o proprietário da clínica.',
    },
    ofClinic: {
      intro:
        'Dispositivos onde a equipa e os parceiros de integração têm sessão iniciada. Quando termina uma sessão, o dispositivo perde o acesso no clique seguinte; a conta da pessoa mantém-se.',
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
