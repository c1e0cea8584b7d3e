import type { WebhookUrlVerdict } from '../../../adapters/webhooks/webhook-url.ts';
import { createEndpoint, updateEndpoint } from '../../../commands/webhooks/save-endpoint.ts';
import { readEndpoint, requireEndpoint } from '../../../commands/webhooks/require-endpoint.ts';
import { findEndpointsWithAnswers } from '../../../db/webhooks/endpoints/endpoint-answers.ts';
import { findQueueLags } from '../../../db/webhooks/queue/unread-queues.ts';
import { MAX_QUEUED } from './endpoint-state.ts';
import { listNotifications } from '../../../db/webhooks/endpoints/notifications.ts';
import { hasScopes } from '../../../domain/clinic/api-scopes.ts';
import type { Rights } from '../../../domain/people/roles.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import { deliveryMode } from '../../../domain/webhooks/delivery-mode.ts';
import { scopesToReceive, scopesToRedirect } from '../../../domain/webhooks/event-scopes.ts';
import { savedQuery } from '../../edits/edit-parts.ts';
import { blankValues, readAll, sentValues } from '../../edits/form-fields.ts';
import { blankEdit, editOf, saveEdit, sentEdit } from '../../edits/save-edit.ts';
import {
  clinicPage,
  type ClinicRequest,
  type Page,
  type PageRoute,
  type Reply,
} from '../../serving/page-request.ts';
import { editEndpointPage } from './edit-endpoint-page.ts';
import { endpointActions } from './endpoint-actions.ts';
import { ENDPOINT_FORM, URL_CHECK, wantsQueueIn, type EndpointMistakes } from './endpoint-fields.ts';
import { endpointListPage } from './endpoint-list-page.ts';
import { endpointPage } from './endpoint-page.ts';
import { NEW_ENDPOINT, newEndpointPage, type NewEndpointForm } from './new-endpoint-page.ts';
import { placeOf, readShownEndpoint } from './read-endpoint.ts';
import { shownSecretPage } from './shown-secret-page.ts';

export interface EndpointPagesOptions {
  checkWebhookUrl: (url: string) => Promise<WebhookUrlVerdict>;
  /** The API's address for integrations. */
  apiUrl: string;
  /** The addresses that deliveries come from. */
  egressAddresses: readonly string[];
}

const ADDRESS = '/integrations/endpoints';
const AT_FIRST = { events: '*' };
/** Unread alerts are counted up to this number. */
const MAX_NOTICES = 100;

/** The pages of Settings → Integrations → Webhook endpoints. */
export function endpointPages(options: EndpointPagesOptions): PageRoute[] {
  return [
    clinicPage('GET', ADDRESS, 'webhooks', async ({ tenantId, view, read }) => {
      const unread = { tenantId, isUnread: true, limit: MAX_NOTICES };
      return endpointListPage(view, {
        ...(await read((em) => findEndpointsWithAnswers(em, tenantId, view.now))),
        unread: await read((em) => listNotifications(em, unread)),
        sources: options.egressAddresses,
        lags: await read((em) => findQueueLags(em, { tenantId, atMost: MAX_QUEUED })),
      });
    }),
    clinicPage('GET', NEW_ENDPOINT, 'webhook_changes', async ({ view }) =>
      newEndpointPage(view, { edit: blankEdit(blankValues(ENDPOINT_FORM, AT_FIRST)), wantsQueue: false }),
    ),
    clinicPage('POST', NEW_ENDPOINT, 'webhook_changes', (request) => addEndpoint(request, options)),
    clinicPage('POST', URL_CHECK, 'webhook_changes', async ({ form, view }) => {
      const values = blankValues(ENDPOINT_FORM, sentValues(ENDPOINT_FORM, form));
      const verdict = await options.checkWebhookUrl(values.url);
      return newEndpointPage(view, { edit: blankEdit(values), verdict, wantsQueue: wantsQueueIn(form) });
    }),
    clinicPage('GET', `${ADDRESS}/:id`, 'webhooks', async (request) => {
      const { view, query } = request;
      return endpointPage(view, { ...(await readShownEndpoint(request)), query });
    }),
    clinicPage('GET', `${ADDRESS}/:id/edit`, 'webhooks', async (request) => {
      const endpoint = await request.read((em) => readEndpoint(em, placeOf(request)));
      const isPull = deliveryMode(endpoint) === 'pull';
      return editEndpointPage(request.view, endpoint.id, { edit: editOf(ENDPOINT_FORM, endpoint), isPull });
    }),
    clinicPage('POST', `${ADDRESS}/:id/edit`, 'webhook_changes', (request) =>
      changeEndpoint(request, options),
    ),
    ...endpointActions(options),
  ];
}

async function addEndpoint(
  request: ClinicRequest,
  { checkWebhookUrl, apiUrl }: EndpointPagesOptions,
): Promise<Page> {
  const { tenantId, session, form, view, context, write } = request;
  const values = blankValues(ENDPOINT_FORM, sentValues(ENDPOINT_FORM, form));
  const { read: fields, wrong } = readAll(ENDPOINT_FORM, values);
  const wantsQueue = wantsQueueIn(form);
  const verdict = wantsQueue ? undefined : await checkWebhookUrl(values.url);
  const refused = (more: Partial<NewEndpointForm>) =>
    newEndpointPage(view, { edit: blankEdit(values), verdict, wantsQueue, status: 422, ...more });
  if (wrong) return refused({ edit: blankEdit(values, wrong) });
  if (wantsQueue && values.url !== '') return refused({ hasBoth: true });
  if (verdict?.ok === false) return refused({});
  if (!mayReceive(session, fields.events)) return refused({ isBeyond: true });
  const wanted = { ...fields, url: verdict?.url ?? null, tenantId };
  try {
    const { endpoint, secret } = await write((em) => createEndpoint(em, wanted, context));
    const of = { endpointId: endpoint.id, isPull: wantsQueue };
    return shownSecretPage(view, { ...of, secret, apiUrl, isOn: true, isNew: true });
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : null;
    if (code === 'endpoint_exists') return refused({ status: 409, isTwin: true });
    if (code !== 'endpoint_limit_reached') throw error;
    return refused({ status: 409, isFull: true });
  }
}

/**
 * Saves the form. An unchanged URL is not checked, so that other fields can be changed while its host name does not
 * resolve.
 */
async function changeEndpoint(
  request: ClinicRequest,
  { checkWebhookUrl }: EndpointPagesOptions,
): Promise<Reply> {
  const { session, form, view, context, read } = request;
  const place = placeOf(request);
  const row = await read((em) => readEndpoint(em, place));
  const isPull = deliveryMode(row) === 'pull';
  const old = row.url ?? '';
  const { url = old } = sentValues(ENDPOINT_FORM, form);
  const verdict = url === old ? { ok: true as const, url } : await checkWebhookUrl(url);
  const refused = (mistakes: EndpointMistakes) => {
    const edit = sentEdit(ENDPOINT_FORM, { row, form, wrong: new Set() });
    return editEndpointPage(view, place.endpointId, { edit, verdict, isPull, ...mistakes });
  };
  if (!verdict.ok) return refused({});
  try {
    const edited = await saveEdit(request, {
      fields: ENDPOINT_FORM,
      hold: (em) => requireEndpoint(em, place),
      save: (em, { url: newUrl, ...changes }, values) => {
        const isElsewhere = newUrl !== undefined || changes.events !== undefined;
        if (isElsewhere) requireMayRedirect(session, row.events, values.events.split('\n'));
        const fields = { ...changes, ...(newUrl !== undefined && { url: verdict.url }) };
        return updateEndpoint(em, { ...place, fields }, context);
      },
    });
    if (!edited.isSaved)
      return editEndpointPage(view, place.endpointId, { edit: edited.edit, verdict, isPull });
    return { to: `${ADDRESS}/${place.endpointId}?${savedQuery(edited.theirs)}` };
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : null;
    if (code === 'endpoint_exists') return refused({ isTwin: true });
    if (code !== 'insufficient_scope') throw error;
    return refused({ isBeyond: true });
  }
}

/** Whether the person may subscribe to these events: anyone who chooses where events go could read them, as in the API. */
function mayReceive({ scopes }: Rights, events: readonly string[]): boolean {
  return hasScopes(scopes, scopesToReceive(events));
}

/** @throws ServiceError `insufficient_scope` */
function requireMayRedirect({ scopes }: Rights, before: readonly string[], after: readonly string[]): void {
  if (hasScopes(scopes, scopesToRedirect(before, after))) return;
  throw new ServiceError(
    'insufficient_scope',
    'The API key that created this link has no permission to read all of these events.',
  );
}
