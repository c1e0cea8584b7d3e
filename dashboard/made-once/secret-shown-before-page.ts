import { html } from '../../pages/html.ts';
import type { Words } from '../language/language.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../serving/page-request.ts';

const WORDS: Words<{ title: string; text: string; change: string; look: string }> = {
  en: {
    title: 'This form was sent twice',
    text: 'It made one, the first time, and the secret text was shown then. It is shown once only, so it cannot be shown again here.',
    change: 'If nobody has copied it, change it: its page says how, and shows you a new one.',
    look: 'To its page',
  },
  pt: {
    title: 'Este formulário foi enviado duas vezes',
    text: 'Da primeira vez foi criado um, e o texto secreto foi mostrado então. Só é mostrado uma vez, por isso não pode ser mostrado de novo aqui.',
    change: 'Se ninguém o copiou, mude-o: a página própria diz como, e mostra-lhe um novo.',
    look: 'Para a página própria',
  },
};

/** In place of a secret that the form was answered with before. @param address of what it made */
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
