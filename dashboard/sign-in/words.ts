import type { SignInRefusal } from '../../commands/people/sign-in.ts';
import { words } from '../language/language.ts';

export const SIGN_IN_WORDS = words({
  en: {
    again: 'Sign in',
    refused: {
      unknown_role: {
        title: 'You have no role here',
        text: 'Your account is known, but nobody has given it a role in a clinic. Ask the owner of your clinic.',
      },
      unknown_clinic: {
        title: 'Your clinic is not known here',
        text: 'Your account belongs to no clinic that uses this service. Ask the owner of your clinic, or our support.',
      },
      not_support: {
        title: 'You are not of our support',
        text: 'Your account has the role of our support, but comes from another organisation. Ask the owner of your clinic for a role in it.',
      },
      blocked: {
        title: 'You are kept out',
        text: 'Your account may not be used here for now. Ask the owner of your clinic, or our support.',
      },
      failed: {
        title: 'That did not work',
        text: 'The sign-in took too long, was begun in another window, or was broken off. Please try again.',
      },
      unreachable: {
        title: 'Sign-in is out of reach',
        text: 'The service that signs people in does not answer now. Please try again in a moment.',
      },
    } satisfies Record<SignInRefusal | 'failed' | 'unreachable', { title: string; text: string }>,
    signedOut: { title: 'You are signed out', text: 'You can close this window.' },
    portal: {
      title: 'Webhook settings',
      text: 'This link opens the webhook settings of your clinic, once.',
      open: 'Open the settings',
      ended: 'This link is no longer good',
      endedText: 'Links work once and for ten minutes. Go back to where you found it and ask for a new one.',
    },
  },
  pt: {
    again: 'Iniciar sessão',
    refused: {
      unknown_role: {
        title: 'Não tem nenhuma função aqui',
        text: 'A sua conta é conhecida, mas ninguém lhe deu uma função numa clínica. Fale com o proprietário da clínica.',
      },
      unknown_clinic: {
        title: 'A sua clínica não é conhecida aqui',
        text: 'A sua conta não pertence a nenhuma clínica que use este serviço. Fale com o proprietário da clínica ou com o nosso apoio.',
      },
      not_support: {
        title: 'Não pertence ao nosso apoio',
        text: 'A sua conta tem a função do nosso apoio, mas vem de outra organização. Peça ao proprietário da clínica uma função nela.',
      },
      blocked: {
        title: 'O seu acesso está bloqueado',
        text: 'De momento a sua conta não pode ser usada aqui. Fale com o proprietário da clínica ou com o nosso apoio.',
      },
      failed: {
        title: 'Não resultou',
        text: 'O início de sessão demorou demasiado, começou noutra janela ou foi interrompido. Tente de novo.',
      },
      unreachable: {
        title: 'Não é possível iniciar sessão',
        text: 'O serviço de início de sessão não responde. Tente de novo dentro de momentos.',
      },
    },
    signedOut: { title: 'Sessão terminada', text: 'Pode fechar esta janela.' },
    portal: {
      title: 'Definições de webhooks',
      text: 'Esta ligação abre as definições de webhooks da sua clínica, uma só vez.',
      open: 'Abrir as definições',
      ended: 'Esta ligação já não é válida',
      endedText:
        'As ligações funcionam uma vez e durante dez minutos. Volte ao sítio onde a encontrou e peça outra.',
    },
  },
});
