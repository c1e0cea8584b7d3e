import { html } from '../../../pages/html.ts';
import { statusOf } from '../../edits/edit-parts.ts';
import type { Edit } from '../../edits/save-edit.ts';
import { notice } from '../../layout/components.ts';
import { form } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import type { Page } from '../../serving/page-request.ts';
import { endpointInputs, type EndpointMistakes, type ShownOfEndpoint } from './endpoint-fields.ts';
import { ENDPOINT_WORDS } from './words.ts';

export const NEW_ENDPOINT = '/integrations/endpoints/new';

export interface NewEndpointForm extends EndpointMistakes {
  wantsQueue: boolean;
  edit: Edit<ShownOfEndpoint>;
  /** The response status; by default it depends on the invalid fields. */
  status?: number;
  /** Whether the clinic has reached its limit of endpoints. */
  isFull?: boolean;
}

export function newEndpointPage(
  view: View,
  { edit, status, isFull = false, ...mistakes }: NewEndpointForm,
): Page {
  const words = ENDPOINT_WORDS[view.language];
  const fields = html`${endpointInputs(view, edit, mistakes)}
    <p class="actions"><button>${words.create}</button></p>`;
  return {
    title: words.newEndpoint,
    body: html`${isFull && notice('bad', words.full)} ${form(view, { action: NEW_ENDPOINT }, fields)}`,
    status: status ?? statusOf(edit),
  };
}
