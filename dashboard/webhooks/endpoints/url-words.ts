import type { WebhookUrlRefusal } from '../../../adapters/webhooks/webhook-url.ts';
import { words } from '../../language/language.ts';

/** Messages about a receiver's URL. */
export const URL_WORDS = words({
  en: {
    hint: 'The address at which your software receives events, for example https://pms.example.com/hook.',
    fine: '✓ Events can be sent to this URL.',
    refused: {
      unreadable: 'Enter the full URL, for example https://pms.example.com/hook.',
      too_long: 'Shorten the URL to at most 2048 characters.',
      not_https: 'Enter a URL that begins with https://. Events contain patient data.',
      credentials:
        'Remove the user name and password from the URL. The signature already proves that we are the sender.',
      fragment: 'Remove # and everything after it from the URL. That part is never sent.',
      address: 'Use a host name instead of the IP address.',
      name: 'Use a host name that resolves only to public internet addresses. Check its spelling and DNS records.',
    } satisfies Record<WebhookUrlRefusal, string>,
  },
  pt: {
    hint: 'O endereço em que o seu software recebe eventos, por exemplo https://pms.example.com/hook.',
    fine: '✓ É possível enviar eventos para este URL.',
    refused: {
      unreadable: 'Escreva o URL completo, por exemplo https://pms.example.com/hook.',
      too_long: 'Encurte o URL para 2048 caracteres no máximo.',
      not_https: 'Escreva um URL que comece por https://. Os eventos contêm dados de pacientes.',
      credentials:
        'Retire o nome de utilizador e a palavra-passe do URL. A assinatura já prova que somos nós a enviar.',
      fragment: 'Retire do URL o # e tudo o que está a seguir. Essa parte nunca é enviada.',
      address: 'Use um nome de servidor em vez do endereço IP.',
      name: 'Use um nome de servidor que só aponte para endereços públicos da internet. Verifique se o nome está bem escrito e se os registos DNS estão certos.',
    },
  },
});
