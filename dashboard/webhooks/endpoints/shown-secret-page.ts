import { html } from '../../../pages/html.ts';
import { copyable, notice } from '../../layout/components.ts';
import { form } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import type { Page } from '../../serving/page-request.ts';
import { readVerifyCode } from './verify-code.ts';
import { ENDPOINT_WORDS } from './words.ts';

const VERIFY_CODE = readVerifyCode();

export interface ShownSecret {
  endpointId: string;
  secret: string;
  /** The API's address for integrations. */
  apiUrl: string;
  /** Whether a test event can be sent to the endpoint. */
  isOn: boolean;
  /** Whether its events wait in a queue. */
  isPull: boolean;
  /** Whether the endpoint was just added. */
  isNew?: boolean;
}

/** The only page that contains the secret; it must not be cached. */
export function shownSecretPage(view: View, endpoint: ShownSecret): Page {
  const { endpointId, secret, apiUrl, isOn, isPull, isNew = false } = endpoint;
  const { shown } = ENDPOINT_WORDS[view.language];
  const address = `/integrations/endpoints/${endpointId}`;
  const trying = html`<h2>${shown.next}</h2>
    <p>${isPull ? shown.nextOfQueue : shown.nextText}</p>
    ${isPull && copyable(view, readerCommand(apiUrl, endpointId))}
    ${form(view, { action: `${address}/test` }, html`<button>${shown.test}</button>`)}`;
  return {
    title: shown.title,
    secretOf: address,
    body: html`${isNew && notice('good', shown.added)}
      <h2>${shown.copyIt}</h2>
      <p>${shown.text}</p>
      ${copyable(view, secret)}
      <h2>${shown.use}</h2>
      <p>${shown.keep}</p>
      ${copyable(view, `export WEBHOOK_SECRET='${secret}'`)}
      <p>${shown.verifyText}</p>
      <div class="codes">
        ${VERIFY_CODE.map(
          ({ language, code }) =>
            html`<details>
              <summary>${language}</summary>
              ${copyable(view, code)}
            </details>`,
        )}
      </div>
      <p><a href="${apiUrl}/docs/webhooks">${shown.guide}</a></p>
      ${isOn && trying}
      <p class="actions"><a class="button second" href="${address}">${shown.done}</a></p>`,
  };
}

/** Downloads and starts the program that reads a queue: docs/webhooks.md#fetch-events-from-a-queue */
function readerCommand(apiUrl: string, endpointId: string): string {
  return [
    `curl -O ${apiUrl}/docs/listen.mjs`,
    `API_URL=${apiUrl} API_KEY=svc_… node listen.mjs ${endpointId} http://127.0.0.1:8080/hook`,
  ].join('\n');
}
