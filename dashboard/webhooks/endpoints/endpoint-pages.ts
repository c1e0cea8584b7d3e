import type { SecretCipher } from '../../../adapters/secret-cipher.ts';
import type { WebhookUrlVerdict } from '../../../adapters/webhooks/webhook-url.ts';
import { createEndpoint } from '../../../commands/webhooks/create-endpoint.ts';
import { listEndpoints } from '../../../db/webhooks/list-endpoints.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import { clinicPage, type ClinicRequest, type Page, type PageRoute } from '../../page-request.ts';
import { readFields } from '../../read-fields.ts';
import { endpointFields, givenIn, URL_CHECK } from './endpoint-fields.ts';
import { endpointListPage } from './endpoint-list-page.ts';
import { NEW_ENDPOINT, newEndpointPage, NOTHING_GIVEN } from './new-endpoint-page.ts';
import { shownSecretPage } from './shown-secret-page.ts';

export interface EndpointPagesOptions {
  cipher: SecretCipher;
  checkWebhookUrl: (url: string) => Promise<WebhookUrlVerdict>;
  /** Where programs reach the API. */
  apiUrl: string;
}

/** Settings → Integrations → Webhook endpoints. */
export function endpointPages(options: EndpointPagesOptions): PageRoute[] {
  return [
    clinicPage('GET', '/integrations/endpoints', 'webhooks', async ({ tenantId, view, read }) =>
      endpointListPage(view, await read((em) => listEndpoints(em, tenantId))),
    ),
    clinicPage('GET', NEW_ENDPOINT, 'webhooks', async ({ view }) => newEndpointPage(view, NOTHING_GIVEN)),
    clinicPage('POST', NEW_ENDPOINT, 'webhooks', (request) => addEndpoint(request, options)),
    clinicPage('POST', URL_CHECK, 'webhooks', async ({ form, view }) => {
      const given = givenIn(form);
      return newEndpointPage(view, given, { verdict: await options.checkWebhookUrl(given.url.trim()) });
    }),
  ];
}

async function addEndpoint(
  { tenantId, form, view, context, write }: ClinicRequest,
  { cipher, checkWebhookUrl, apiUrl }: EndpointPagesOptions,
): Promise<Page> {
  const given = givenIn(form);
  const { fields, wrong } = readFields(endpointFields, form);
  const verdict = await checkWebhookUrl(given.url.trim());
  if (wrong) return newEndpointPage(view, given, { status: 422, verdict, wrong });
  if (!verdict.ok) return newEndpointPage(view, given, { status: 422, verdict });
  try {
    const input = { ...fields, tenantId, url: verdict.url, cipher };
    const { endpoint, secret } = await write((em) => createEndpoint(em, input, context));
    return shownSecretPage(view, { endpointId: endpoint.id, secret, apiUrl, isOn: true });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'endpoint_limit_reached') throw error;
    return newEndpointPage(view, given, { status: 409, verdict, isFull: true });
  }
}
