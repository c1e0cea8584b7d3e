import type { WebhookUrlRefusal } from '../../../adapters/webhooks/webhook-url.ts';
import { words } from '../../language/language.ts';

/** What is said of a receiver's URL. */
export const URL_WORDS = words({
  en: {
    hint: 'Where your program takes events, such as https://pms.example.com/hook.',
    fine: '✓ Events can be sent there.',
    refused: {
      unreadable: 'Write the whole URL of the receiver, such as https://pms.example.com/hook.',
      too_long: 'The URL may have at most 2048 characters.',
      not_https: 'The URL must begin with https://, because events hold data of patients.',
      credentials: 'Leave the user name and password out of the URL; the signature says who sends.',
      fragment: 'Leave out the part from # on; it would never be sent.',
      address: 'Use a host name in place of the IP address.',
      name: 'This host name must resolve to public internet addresses only. Check its spelling and its DNS records.',
    } satisfies Record<WebhookUrlRefusal, string>,
  },
  pt: {
    hint: 'Onde o seu programa recebe eventos, por exemplo https://pms.example.com/hook.',
    fine: '✓ É possível enviar eventos para lá.',
    refused: {
      unreadable: 'Escreva o URL completo do recetor, por exemplo https://pms.example.com/hook.',
      too_long: 'O URL pode ter no máximo 2048 caracteres.',
      not_https: 'O URL tem de começar por https://, porque os eventos contêm dados de pacientes.',
      credentials: 'Não ponha nome de utilizador nem palavra-passe no URL; a assinatura diz quem envia.',
      fragment: 'Retire a parte a partir de #; nunca seria enviada.',
      address: 'Use um nome de servidor em vez do endereço IP.',
      name: 'Este nome de servidor tem de levar apenas a endereços públicos da internet. Verifique como está escrito e os registos DNS.',
    },
  },
});
