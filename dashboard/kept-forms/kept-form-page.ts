import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { giveBackKeptForm, openKeptForm, takeKeptForm } from '../../commands/people/keep-form.ts';
import { isUuid } from '../../domain/row-id.ts';
import { html } from '../../pages/html.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import type { Answer, Page, PageRequest, PageRoute } from '../serving/page-request.ts';
import { localAddress } from '../sign-in/local-address.ts';
import { KEPT_FORM_WORDS } from './words.ts';

/** Where a kept form waits for its owner. */
export const KEPT_FORMS = '/kept-forms';

/** The field of a kept form that names it. */
export const KEPT_FORM = 'kept_form';

/** After the sign-in: what was typed before, which goes where it was to go. */
export async function keptFormPage(
  { session, path, view, read }: PageRequest,
  cipher: SecretCipher,
): Promise<Page> {
  const { tenantId, personId } = session;
  const id = path['id'] ?? '';
  const kept =
    personId === null
      ? null
      : await read((em) => openKeptForm(em, cipher, { id, tenantId, personId }, view.now));
  if (!kept) return gonePage(view, 404);
  const { title, text, send } = KEPT_FORM_WORDS[view.language].back;
  const hidden = (name: string, value: string) =>
    html`<input type="hidden" name="${name}" value="${value}" />`;
  const fields = html`${kept.fields.map(([name, value]) => hidden(name, value))} ${hidden(KEPT_FORM, id)}
    <button>${send}</button>`;
  const body = html`<p>${text}</p>
    ${form(view, { action: localAddress(kept.address), isSentAtOnce: true }, fields)}`;
  return { title, body };
}

/** Handles a form, and one that was kept no more than once. */
export async function handleOnce(request: PageRequest, handle: PageRoute['handle']): Promise<Answer> {
  const { form: given, session, view, write } = request;
  const id = given.get(KEPT_FORM) ?? '';
  const { tenantId, personId } = session;
  if (!isUuid(id) || personId === null) return handle(request);
  const isTaken = await write((em) => takeKeptForm(em, { id, tenantId, personId }, view.now));
  if (!isTaken) return gonePage(view, 409);
  try {
    return await handle(request);
  } catch (error) {
    await write((em) => giveBackKeptForm(em, id));
    throw error;
  }
}

function gonePage({ language }: View, status: number): Page {
  const { title, text, first } = KEPT_FORM_WORDS[language].gone;
  const body = html`<p>${text}</p>
    <p><a class="button" href="/">${first}</a></p>`;
  return { title, body, status };
}
