import { html } from '../../pages/html.ts';
import type { Words } from '../language/language.ts';
import type { View } from '../layout/view.ts';
import type { Page } from './page-request.ts';

const WORDS: Words<{ title: string; text: string; change: string; look: string }> = {
  en: {
    title: 'This form was sent twice',
    text: 'The first time, the item was created and its secret was shown. A secret is shown only once, so we can’t show it again.',
    change: 'If no one copied the secret, rotate it on the item’s page.',
    look: 'Open the page',
  },
  pt: {
    title: 'Este formulário foi enviado duas vezes',
    text: 'Da primeira vez, os dados foram guardados e o segredo foi mostrado. Um segredo só é mostrado uma vez, por isso não o podemos mostrar de novo.',
    change: 'Se ninguém copiou o segredo, abra a página e substitua o segredo.',
    look: 'Abrir a página',
  },
};

/**
 * The page that is shown when a repeated form would show a secret again. @param address the address of the thing
 * created
 */
export function secretShownBeforePage({ language }: View, address: string): Page {
  const { title, text, change, look } = WORDS[language];
  return {
    title,
    body: html`<p>${text}</p>
      <p>${change}</p>
      <p class="actions"><a class="button" href="${address}">${look}</a></p>`,
    status: 409,
  };
}
