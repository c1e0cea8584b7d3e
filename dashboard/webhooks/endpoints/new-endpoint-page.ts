import { html } from '../../../pages/html.ts';
import { notice } from '../../layout/components.ts';
import { form } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import { idField } from '../../made-once/make-once.ts';
import type { Page } from '../../page-request.ts';
import { endpointInputs, givenIn, type EndpointMistakes } from './endpoint-fields.ts';
import { ENDPOINT_WORDS } from './words.ts';

export const NEW_ENDPOINT = '/integrations/endpoints/new';

export const NOTHING_GIVEN = new URLSearchParams({ events: '*' });

/** @param given what was sent before, to be mended */
export function newEndpointPage(
  view: View,
  given: URLSearchParams,
  { status, isFull = false, ...mistakes }: EndpointMistakes & { status?: number; isFull?: boolean } = {},
): Page {
  const words = ENDPOINT_WORDS[view.language];
  const fields = html`${idField(given)} ${endpointInputs(view, givenIn(given), mistakes)}
    <p class="actions"><button>${words.create}</button></p>`;
  return {
    title: words.newEndpoint,
    body: html`${isFull && notice('bad', words.full)} ${form(view, { action: NEW_ENDPOINT }, fields)}`,
    ...(status !== undefined && { status }),
  };
}
