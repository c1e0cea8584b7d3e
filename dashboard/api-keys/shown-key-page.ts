import { html } from '../../pages/html.ts';
import { copyable } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../serving/page-request.ts';
import { KEY_WORDS } from './words.ts';

/** The only page that ever holds the key; no cache keeps it. */
export function shownKeyPage(view: View, key: string, apiUrl: string): Page {
  const { shown, copy } = KEY_WORDS[view.language];
  return {
    title: shown.title,
    body: html`<p>${shown.text}</p>
      ${copyable(key, copy)}
      <p>${shown.try}</p>
      ${copyable(`curl ${apiUrl}/v1/api-keys/me -H 'Authorization: Bearer ${key}'`, copy)}
      <p class="actions"><a class="button" href="/integrations/keys">${shown.done}</a></p>`,
  };
}
