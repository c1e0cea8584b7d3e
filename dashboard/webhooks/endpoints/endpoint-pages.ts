import type { SecretCipher } from '../../../adapters/secret-cipher.ts';
import type { WebhookUrlVerdict } from '../../../adapters/webhooks/webhook-url.ts';
import { hasFields } from '../../../commands/changed-fields.ts';
import { createEndpoint } from '../../../commands/webhooks/create-endpoint.ts';
import { readEndpoint } from '../../../commands/webhooks/require-endpoint.ts';
import { updateEndpoint } from '../../../commands/webhooks/update-endpoint.ts';
import { findEndpoint, listEndpoints } from '../../../db/webhooks/endpoints/list-endpoints.ts';
import { listNotifications } from '../../../db/webhooks/endpoints/list-notifications.ts';
import { hasScopes } from '../../../domain/clinic/api-scopes.ts';
import type { Rights } from '../../../domain/people/roles.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import { scopesToReceive } from '../../../domain/webhooks/event-scopes.ts';
import { madeAlreadyPage } from '../../made-once/made-already-page.ts';
import { makeOnce } from '../../made-once/make-once.ts';
import { clinicPage, type ClinicRequest, type Page, type PageRoute, type Reply } from '../../page-request.ts';
import { readFields } from '../../read-fields.ts';
import { editEndpointPage } from './edit-endpoint-page.ts';
import { endpointActions } from './endpoint-actions.ts';
import { endpointFields, givenIn, URL_CHECK } from './endpoint-fields.ts';
import { endpointListPage } from './endpoint-list-page.ts';
import { endpointPage } from './endpoint-page.ts';
import { NEW_ENDPOINT, newEndpointPage, NOTHING_GIVEN } from './new-endpoint-page.ts';
import { placeOf, readShownEndpoint } from './read-endpoint.ts';
import { shownSecretPage } from './shown-secret-page.ts';

export interface EndpointPagesOptions {
  cipher: SecretCipher;
  checkWebhookUrl: (url: string) => Promise<WebhookUrlVerdict>;
  /** Where programs reach the API. */
  apiUrl: string;
}

const ADDRESS = '/integrations/endpoints';
/** To count the unread ones. */
const MOST_NOTICES = 100;

/** Settings → Integrations → Webhook endpoints. */
export function endpointPages(options: EndpointPagesOptions): PageRoute[] {
  return [
    clinicPage('GET', ADDRESS, 'webhooks', async ({ tenantId, view, read }) => {
      const unread = { tenantId, isUnread: true, limit: MOST_NOTICES };
      const notices = await read((em) => listNotifications(em, unread));
      return endpointListPage(view, await read((em) => listEndpoints(em, tenantId)), notices);
    }),
    clinicPage('GET', NEW_ENDPOINT, 'webhook_changes', async ({ view }) =>
      newEndpointPage(view, NOTHING_GIVEN),
    ),
    clinicPage('POST', NEW_ENDPOINT, 'webhook_changes', (request) => addEndpoint(request, options)),
    clinicPage('POST', URL_CHECK, 'webhook_changes', async ({ form, view }) => {
      const verdict = await options.checkWebhookUrl(givenIn(form).url.trim());
      return newEndpointPage(view, form, { verdict });
    }),
    clinicPage('GET', `${ADDRESS}/:id`, 'webhooks', async (request) => {
      const { view, read } = request;
      const { cipher } = options;
      const shown = await read((em) => readShownEndpoint(em, placeOf(request), { cipher, now: view.now }));
      return endpointPage(view, shown);
    }),
    clinicPage('GET', `${ADDRESS}/:id/edit`, 'webhooks', async (request) => {
      const { id, url, events, description } = await request.read((em) => readEndpoint(em, placeOf(request)));
      return editEndpointPage(request.view, id, { url, events, description: description ?? '' });
    }),
    clinicPage('POST', `${ADDRESS}/:id/edit`, 'webhook_changes', (request) =>
      changeEndpoint(request, options),
    ),
    ...endpointActions(options),
  ];
}

async function addEndpoint(
  { tenantId, session, form, view, context, read, write }: ClinicRequest,
  { cipher, checkWebhookUrl, apiUrl }: EndpointPagesOptions,
): Promise<Page> {
  const { fields, wrong } = readFields(endpointFields, form);
  const verdict = await checkWebhookUrl(givenIn(form).url.trim());
  if (wrong) return newEndpointPage(view, form, { status: 422, verdict, wrong });
  if (!verdict.ok) return newEndpointPage(view, form, { status: 422, verdict });
  if (!mayReceive(session, fields.events))
    return newEndpointPage(view, form, { status: 422, verdict, isBeyond: true });
  const wanted = { ...fields, url: verdict.url };
  try {
    const { isNew, made } = await makeOnce(form, {
      find: (id) => read((em) => findEndpoint(em, tenantId, id)),
      isSame: (found) => hasFields(found, wanted),
      make: (id) => write((em) => createEndpoint(em, { ...wanted, id, tenantId, cipher }, context)),
    });
    if (!isNew) return madeAlreadyPage(view, `${ADDRESS}/${made.id}`);
    return shownSecretPage(view, {
      endpointId: made.endpoint.id,
      secret: made.secret,
      apiUrl,
      isOn: true,
      isNew: true,
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'endpoint_limit_reached') throw error;
    return newEndpointPage(view, form, { status: 409, verdict, isFull: true });
  }
}

/** A URL that stays is not looked up again, so that other fields can be changed while its name does not resolve. */
async function changeEndpoint(
  request: ClinicRequest,
  { checkWebhookUrl }: EndpointPagesOptions,
): Promise<Reply> {
  const { session, form, view, context, read, write } = request;
  const place = placeOf(request);
  const given = givenIn(form);
  const { fields, wrong } = readFields(endpointFields, form);
  const { url: old, events } = await read((em) => readEndpoint(em, place));
  const isOldUrl = given.url.trim() === old;
  const verdict = isOldUrl ? { ok: true as const, url: old } : await checkWebhookUrl(given.url.trim());
  if (wrong) return editEndpointPage(view, place.endpointId, given, { verdict, wrong });
  if (!verdict.ok) return editEndpointPage(view, place.endpointId, given, { verdict });
  const isElsewhere = !isOldUrl || fields.events.join() !== events.join();
  if (isElsewhere && !mayReceive(session, fields.events)) {
    return editEndpointPage(view, place.endpointId, given, { verdict, isBeyond: true });
  }
  const input = { ...place, fields: { ...fields, url: verdict.url } };
  await write((em) => updateEndpoint(em, input, context));
  return { to: `${ADDRESS}/${place.endpointId}` };
}

/** Whoever says where events go could as well read them, as with the API. */
function mayReceive({ scopes }: Rights, events: readonly string[]): boolean {
  return hasScopes(scopes, scopesToReceive(events));
}
