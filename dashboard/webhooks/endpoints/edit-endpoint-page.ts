import { html } from '../../../pages/html.ts';
import { contestedNotice, statusOf } from '../../edits/edit-parts.ts';
import { shownInput, type Edit } from '../../edits/save-edit.ts';
import { form } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import type { Page } from '../../serving/page-request.ts';
import { DETAIL_WORDS } from './detail-words.ts';
import { endpointInputs, type EndpointMistakes, type ShownOfEndpoint } from './endpoint-fields.ts';

export function editEndpointPage(
  view: View,
  endpointId: string,
  { edit, ...mistakes }: EndpointMistakes & { edit: Edit<ShownOfEndpoint> },
): Page {
  const { edit: title, editText, save } = DETAIL_WORDS[view.language];
  const fields = html`${shownInput(edit)} ${endpointInputs(view, edit, mistakes)}
    <p class="actions"><button>${save}</button></p>`;
  const isRefused = mistakes.isBeyond || mistakes.isTwin || mistakes.verdict?.ok === false;
  return {
    title,
    body: html`<p>${editText}</p>
      ${contestedNotice(view, edit)}
      ${form(view, { action: `/integrations/endpoints/${endpointId}/edit` }, fields)}`,
    status: isRefused ? 422 : statusOf(edit),
  };
}
