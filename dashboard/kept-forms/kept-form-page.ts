import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { openKeptForm } from '../../commands/people/keep-form.ts';
import { html } from '../../pages/html.ts';
import { form, FORM_ID } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import type { Page, PageRequest } from '../serving/page-request.ts';
import { localAddress } from '../sign-in/local-address.ts';
import { KEPT_FORM_WORDS } from './words.ts';

/** The page of a saved form. */
export const KEPT_FORMS = '/kept-forms';

/** After the sign-in: shows the saved form, to be submitted to its target. */
export async function keptFormPage(
  { session, id, view, read }: PageRequest,
  cipher: SecretCipher,
): Promise<Page> {
  const { tenantId, personId } = session;
  const kept =
    personId === null
      ? null
      : await read((em) => openKeptForm(em, cipher, { id, tenantId, personId }, view.now));
  if (!kept) return gonePage(view);
  const { title, text, send } = KEPT_FORM_WORDS[view.language].back;
  const hidden = (name: string, value: string) =>
    html`<input type="hidden" name="${name}" value="${value}" />`;
  const { [FORM_ID]: formId = id } = Object.fromEntries(kept.fields);
  const typed = kept.fields.filter(([name]) => name !== FORM_ID);
  const fields = html`${typed.map(([name, value]) => hidden(name, value))} <button>${send}</button>`;
  const body = html`<p>${text}</p>
    ${form(view, { action: localAddress(kept.address), id: formId, isSentAtOnce: true }, fields)}`;
  return { title, body };
}

function gonePage({ language }: View): Page {
  const { title, text, first } = KEPT_FORM_WORDS[language].gone;
  const body = html`<p>${text}</p>
    <p><a class="button" href="/">${first}</a></p>`;
  return { title, body, status: 404 };
}
