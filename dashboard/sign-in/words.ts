import type { SignInRefusal } from '../../commands/people/sign-in.ts';
import { words } from '../language/language.ts';

export const SIGN_IN_WORDS = words({
  en: {
    again: 'Sign in',
    refused: {
      unknown_role: {
        title: 'Your account has no role yet',
        text: 'Ask the owner of your clinic to give your account a role.',
      },
      unknown_clinic: {
        title: 'We couldn’t find your clinic',
        text: 'Your account doesn’t belong to a clinic that uses this service. Contact the owner of your clinic, or our support.',
      },
      not_support: {
        title: 'This account isn’t on the support team',
        text: 'Your account has the support role, but belongs to another organisation. Ask the owner of your clinic to give you a role in the clinic.',
      },
      blocked: { title: 'Your access is blocked', text: 'Contact the owner of your clinic, or our support.' },
      failed: {
        title: 'Sign-in failed',
        text: 'Sign-in took too long, was started in another window, or was interrupted. Please try again.',
      },
      unreachable: {
        title: 'Sign-in is unavailable',
        text: 'The sign-in service isn’t responding. Please try again in a moment.',
      },
    } satisfies Record<SignInRefusal | 'failed' | 'unreachable', { title: string; text: string }>,
    leaving: {
      title: 'Signing you out',
      text: 'We’re also signing you out of the sign-in service. If nothing happens, press the button.',
      go: 'Continue',
    },
    signedOut: {
      title: 'You’re signed out',
      text: 'You can close this window.',
      onlyHere:
        'You may still be signed in to the sign-in service. On a shared computer, sign out there too, or close the browser.',
    },
    portal: {
      title: 'Webhook settings',
      text: 'This link opens your clinic’s webhook settings. It works only once.',
      open: 'Open settings',
      ended: 'This link has expired',
      endedText: 'A link works only once and expires after ten minutes. Get a new link from the same place.',
    },
  },
  pt: {
    again: 'Iniciar sessão',
    refused: {
      unknown_role: {
        title: 'A sua conta ainda não tem função',
        text: 'Peça ao proprietário da clínica que atribua uma função à sua conta.',
      },
      unknown_clinic: {
        title: 'Não encontrámos a sua clínica',
        text: 'A sua conta não pertence a nenhuma clínica que use este sistema. Contacte o proprietário da clínica ou o nosso apoio técnico.',
      },
      not_support: {
        title: 'Esta conta não pertence ao apoio técnico',
        text: 'A sua conta tem a função de apoio técnico, mas pertence a outra organização. Peça ao proprietário da sua clínica que lhe atribua uma função na clínica.',
      },
      blocked: {
        title: 'O seu acesso está bloqueado',
        text: 'Contacte o proprietário da clínica ou o nosso apoio técnico.',
      },
      failed: {
        title: 'Não foi possível iniciar sessão',
        text: 'O início de sessão demorou demasiado tempo, foi iniciado noutra janela ou foi interrompido. Tente de novo.',
      },
      unreachable: {
        title: 'Início de sessão indisponível',
        text: 'O serviço de autenticação não responde. Tente de novo daqui a pouco.',
      },
    },
    leaving: {
      title: 'A terminar a sessão',
      text: 'Estamos também a terminar a sessão no serviço de autenticação. Se nada acontecer, carregue no botão.',
      go: 'Continuar',
    },
    signedOut: {
      title: 'Sessão terminada',
      text: 'Pode fechar esta janela.',
      onlyHere:
        'A sessão no serviço de autenticação pode continuar aberta. Num computador partilhado, termine também essa sessão ou feche o navegador.',
    },
    portal: {
      title: 'Definições de webhooks',
      text: 'Este link abre as definições de webhooks da sua clínica. O link só pode ser usado uma vez.',
      open: 'Abrir as definições',
      ended: 'Este link expirou',
      endedText:
        'Um link só funciona uma vez e expira ao fim de dez minutos. Obtenha um novo link no mesmo sítio em que encontrou este.',
    },
  },
});
