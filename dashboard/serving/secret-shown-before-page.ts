import { html } from '../../pages/html.ts';
import type { Words } from '../language/language.ts';
import type { View } from '../layout/view.ts';
import type { Page } from './page-request.ts';

const WORDS: Words<{ title: string; text: string; change: string; look: string }> = {
  en: {
    title: 'This form was sent twice',
    text: 'The first time, it was created and its secret was shown. The secret is shown only once, so we can’t show it again.',
    change: 'If no one copied it, replace it: its page shows how.',
    look: 'Open its page',
  },
  pt: {
    title: 'Este formulário foi enviado duas vezes',
    text: 'Da primeira vez, foi criado e o segredo foi mostrado. O segredo só é mostrado uma vez, por isso não o podemos mostrar de novo.',
    change: 'Se ninguém o copiou, substitua-o: a página respetiva mostra como.',
    look: 'Abrir a página',
  },
};

/** Shown when a repeated form would show a secret again. @param address of the thing created */
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
