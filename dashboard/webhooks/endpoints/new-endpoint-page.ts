import { html } from '../../../pages/html.ts';
import { notice } from '../../layout/components.ts';
import { form } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import type { Page } from '../../page-request.ts';
import { endpointInputs, type EndpointMistakes, type GivenEndpoint } from './endpoint-fields.ts';
import { ENDPOINT_WORDS } from './words.ts';

export const NEW_ENDPOINT = '/integrations/endpoints/new';

export const NOTHING_GIVEN: GivenEndpoint = { url: '', events: ['*'], description: '' };

export function newEndpointPage(
  view: View,
  given: GivenEndpoint,
  { status, isFull = false, ...mistakes }: EndpointMistakes & { status?: number; isFull?: boolean } = {},
): Page {
  const words = ENDPOINT_WORDS[view.language];
  const fields = html`${endpointInputs(view, given, mistakes)}
    <p class="actions"><button>${words.create}</button></p>`;
  return {
    title: words.newEndpoint,
    body: html`${isFull && notice('bad', words.full)} ${form(view, { action: NEW_ENDPOINT }, fields)}`,
    ...(status !== undefined && { status }),
  };
}
