import { html } from '../../../pages/html.ts';
import { form } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import type { Page } from '../../page-request.ts';
import { DETAIL_WORDS } from './detail-words.ts';
import { endpointInputs, type EndpointMistakes, type GivenEndpoint } from './endpoint-fields.ts';

/** @param mistakes null for what was not sent yet */
export function editEndpointPage(
  view: View,
  endpointId: string,
  given: GivenEndpoint,
  mistakes: EndpointMistakes | null = null,
): Page {
  const { edit, editText, save } = DETAIL_WORDS[view.language];
  const fields = html`${endpointInputs(view, given, mistakes ?? {})}
    <p class="actions"><button>${save}</button></p>`;
  return {
    title: edit,
    body: html`<p>${editText}</p>
      ${form(view, { action: `/integrations/endpoints/${endpointId}/edit` }, fields)}`,
    ...(mistakes && { status: 422 }),
  };
}
