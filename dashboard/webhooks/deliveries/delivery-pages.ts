import { z } from 'zod';
import { resendDelivery } from '../../../commands/webhooks/sending-again/resend-delivery.ts';
import { retryDeliveryNow } from '../../../commands/webhooks/sending-again/retry-now.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { findEventBody } from '../../../db/webhooks/events/find-events.ts';
import { findDelivery, listDeliveries } from '../../../db/webhooks/deliveries/list-deliveries.ts';
import { findLatestSending } from '../../../db/webhooks/deliveries/resend-facts.ts';
import { findEndpoint, listEndpoints } from '../../../db/webhooks/endpoints/list-endpoints.ts';
import { shownByEvent } from '../../../domain/patient-read.ts';
import { notFound, ServiceError } from '../../../domain/service-error.ts';
import { mayReadEvent } from '../../../domain/webhooks/event-scopes.ts';
import { checkSignature } from '../../../domain/webhooks/check-signature.ts';
import { numberedVersionIn } from '../../edits/version.ts';
import { SOUGHT } from '../../layout/narrowing.ts';
import { clinicPage, type ClinicRequest, type PageRoute, type Reply } from '../../serving/page-request.ts';
import { readSecrets } from '../../../commands/webhooks/signing-secrets.ts';
import { resendAsShown, retryAsShown } from './as-shown.ts';
import { readFilters, readSought } from './delivery-filters.ts';
import { deliveryListPage } from './delivery-list-page.ts';
import { deliveryPage, type ShownDelivery } from './delivery-page.ts';
import { findVisitsOf } from './delivery-table.ts';
import { resendPages } from './resend-pages.ts';

const ADDRESS = '/integrations/deliveries';
const PAGE = 40;

const place = z.guid();
const bodyShape = z.object({ data: z.object({ call: z.object({ id: z.string() }).optional() }) });

/** The pages of Settings → Integrations → Deliveries. */
export function deliveryPages(): PageRoute[] {
  return [
    clinicPage('GET', ADDRESS, 'webhooks', listPage),
    ...resendPages(),
    clinicPage('GET', `${ADDRESS}/:id`, 'webhooks', async (request) =>
      deliveryPage(request.view, await readDelivery(request)),
    ),
    clinicPage('POST', `${ADDRESS}/:id/retry`, 'webhook_changes', async (request) => {
      const { tenantId, id: deliveryId } = request;
      const retry = (em: EntityManager) => retryDeliveryNow(em, { tenantId, deliveryId });
      await unlessOver(retryAsShown(request, request, retry));
      return { to: `${ADDRESS}/${deliveryId}` };
    }),
    clinicPage('POST', `${ADDRESS}/:id/resend`, 'webhook_changes', async (request) => {
      const { tenantId, id: deliveryId, form, context, write } = request;
      const { id } = await write((em) =>
        resendAsShown(em, request, numberedVersionIn(form), () =>
          resendDelivery(em, { tenantId, deliveryId }, context),
        ),
      );
      return { to: `${ADDRESS}/${id}` };
    }),
    clinicPage('POST', `${ADDRESS}/:id/verify`, 'webhooks', async (request) => {
      const shown = await readDelivery(request);
      return deliveryPage(request.view, { ...shown, verdict: verdictOn(request, shown) });
    }),
  ];
}

/** Ignores that a delivery has ended or its endpoint is paused: the delivery's page shows why. */
async function unlessOver(retry: Promise<unknown>): Promise<void> {
  try {
    await retry;
  } catch (error) {
    const isShown =
      error instanceof ServiceError && ['delivery_final', 'endpoint_paused'].includes(error.code);
    if (!isShown) throw error;
  }
}

async function listPage(request: ClinicRequest): Promise<Reply> {
  const { tenantId, query, view, read } = request;
  const sought = (query.get(SOUGHT) ?? '').trim();
  const isId = place.safeParse(sought).success;
  if (isId && (await read((em) => findDelivery(em, tenantId, sought)))) return { to: `${ADDRESS}/${sought}` };
  const { fields, wrong } = readFilters(query, view);
  const before = place.safeParse(query.get('cursor')).data;
  const found = await read(async (em) => {
    if (wrong) return [];
    const meant = sought === '' ? {} : await readSought(em, tenantId, sought);
    return listDeliveries(em, { ...fields, ...meant, tenantId, before, limit: PAGE + 1 });
  });
  const endpoints = await read((em) => listEndpoints(em, tenantId));
  const cursor = found.length > PAGE ? (found[PAGE - 1]?.delivery.id ?? null) : null;
  const deliveries = found.slice(0, PAGE);
  const rows = deliveries.map(({ delivery }) => delivery);
  return deliveryListPage(view, {
    deliveries,
    visits: await read((em) => findVisitsOf(em, request, rows)),
    cursor,
    query,
    endpoints,
    wrong,
  });
}

function readDelivery(request: ClinicRequest): Promise<ShownDelivery> {
  const { tenantId, id, session, read, noteShown } = request;
  return read(async (em) => {
    const found = await findDelivery(em, tenantId, id);
    if (!found) throw notFound('delivery', id);
    const { eventId, endpointId } = found.delivery;
    const { resendNumber: sentAgain } = await findLatestSending(em, found.delivery);
    const body = await findEventBody(em, tenantId, eventId);
    const mayRead = mayReadEvent(session.scopes, found.delivery.eventType);
    const shown = shownByEvent({ ...found.delivery, data: dataOf(body) });
    if (mayRead) noteShown(shown.kind, shown.ids);
    return {
      found,
      sentAgain,
      visits: await findVisitsOf(em, request, [found.delivery]),
      verdict: null,
      mayRead,
      endpoint: await findEndpoint(em, tenantId, endpointId),
      body,
      secrets: await readSecrets(em, { tenantId, endpointId }),
    };
  });
}

function dataOf(body: string | null) {
  return body === null ? null : bodyShape.parse(JSON.parse(body)).data;
}

function verdictOn({ form, context }: ClinicRequest, { found, body, secrets }: ShownDelivery) {
  return checkSignature({
    header: form.get('header') ?? '',
    body: form.get('body') ?? '',
    sentBody: body,
    secrets: secrets.map(({ secret }) => secret),
    signedAt: found.attempts.map(({ startedAt }) => startedAt),
    now: context.now,
  });
}
