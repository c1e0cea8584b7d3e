import { z } from 'zod';
import { deleteEndpoint, enableEndpoint } from '../../../commands/webhooks/change-endpoint-health.ts';
import {
  DEFAULT_PAUSE_HOURS,
  pauseEndpoint,
  resumeEndpoint,
} from '../../../commands/webhooks/pause-endpoint.ts';
import { replayDeliveries } from '../../../commands/webhooks/sending-again/replay-deliveries.ts';
import { requireEndpoint } from '../../../commands/webhooks/require-endpoint.ts';
import { rotateSecret } from '../../../commands/webhooks/rotate-secret.ts';
import { sendTestEvent } from '../../../commands/webhooks/send-test-event.ts';
import { updateEndpoint } from '../../../commands/webhooks/save-endpoint.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import type { WebhookEndpointRow } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { eventType } from '../../../domain/named-enums.schema.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import { ownHeaderLines } from '../../../domain/webhooks/own-headers.schema.ts';
import { deliveryMode } from '../../../domain/webhooks/delivery-mode.ts';
import { receivesEvents } from '../../../domain/webhooks/endpoint-status.ts';
import { savedQuery } from '../../edits/edit-parts.ts';
import { isMadeFrom } from '../../edits/version.ts';
import {
  clinicPage,
  type ClinicRequest,
  type Page,
  type PageRoute,
  type Reply,
} from '../../serving/page-request.ts';
import { retryAllAsConfirmed, UnsureRetry } from '../deliveries/retry-all.ts';
import { PAUSE_HOURS, SECRET_OVERLAPS } from './detail-words.ts';
import { HEADERS_FIELD } from './endpoint-forms.ts';
import { endpointPage, type ShownEndpoint } from './endpoint-page.ts';
import type { EndpointPagesOptions } from './endpoint-pages.ts';
import { endpointVersion } from './endpoint-state.ts';
import { missedWithin, placeOf, readShownEndpoint, type EndpointPlace } from './read-endpoint.ts';
import { shownSecretPage } from './shown-secret-page.ts';

const ADDRESS = '/integrations/endpoints/:id';

const overlap = z.enum(SECRET_OVERLAPS).transform(Number).catch(86_400);

const pauseHours = z.enum(PAUSE_HOURS).transform(Number).catch(DEFAULT_PAUSE_HOURS);

/** The actions of an endpoint's page. */
export function endpointActions(options: EndpointPagesOptions): PageRoute[] {
  const post = (name: string, handle: Handle) =>
    clinicPage('POST', `${ADDRESS}/${name}`, 'webhook_changes', (request) => unlessOutdated(request, handle));
  return [
    post('enable', async (request, place) => {
      await whileAsShown(request, place, (em) => enableEndpoint(em, place, request.context));
      return pageOf(place);
    }),
    post('disable', async (request, place) => {
      const change = { ...place, fields: {}, enabled: false };
      await whileAsShown(request, place, (em) => updateEndpoint(em, change, request.context));
      return pageOf(place);
    }),
    post('pause', async (request, place) => {
      const hours = pauseHours.parse(request.form.get('hours'));
      await whileAsShown(request, place, (em) => pauseEndpoint(em, { ...place, hours }, request.context));
      return pageOf(place);
    }),
    post('resume', async (request, place) => {
      await whileAsShown(request, place, (em) => resumeEndpoint(em, place, request.context));
      return pageOf(place);
    }),
    post('headers', saveHeaders),
    post('replay', async (request, place) => {
      const { deliveries } = await sendMissed(request, place);
      return deliveriesOf(place, { sent: String(deliveries) });
    }),
    post('retry', retryAll),
    post('test', sendTest),
    post('rotate', (request, place) => rotate(request, place, options)),
    post('delete', remove),
  ];
}

type Handle = (request: ClinicRequest, place: EndpointPlace) => Promise<Reply>;

/** If someone else changed the endpoint first, shows its current state. */
async function unlessOutdated(request: ClinicRequest, handle: Handle): Promise<Reply> {
  const place = placeOf(request);
  try {
    return await handle(request, place);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'version_mismatch') throw error;
    return shownAgain(request, { isOutdated: true });
  }
}

/** The endpoint's page, which says why nothing was changed. */
async function shownAgain(request: ClinicRequest, why: Partial<ShownEndpoint>): Promise<Page> {
  return endpointPage(request.view, { ...(await readShownEndpoint(request)), ...why });
}

/** @throws ServiceError `version_mismatch` when the endpoint has changed since the page was shown */
function whileAsShown<Result>(
  { form, write }: ClinicRequest,
  place: EndpointPlace,
  work: (em: EntityManager, endpoint: WebhookEndpointRow) => Promise<Result>,
): Promise<Result> {
  return write(async (em) => {
    const endpoint = await requireEndpoint(em, place);
    if (isMadeFrom(form, endpointVersion(endpoint))) return work(em, endpoint);
    throw new ServiceError('version_mismatch', 'The endpoint has changed since it was shown.');
  });
}

function pageOf({ endpointId }: EndpointPlace) {
  return { to: `/integrations/endpoints/${endpointId}` };
}

function deliveriesOf({ endpointId }: EndpointPlace, said: { sent: string } | { retried: string }) {
  return { to: `/integrations/deliveries?${new URLSearchParams({ endpointId, ...said }).toString()}` };
}

/** A disabled endpoint is enabled first, in the same transaction. */
function sendMissed(request: ClinicRequest, place: EndpointPlace) {
  const { context } = request;
  return whileAsShown(request, place, async (em, endpoint) => {
    const wanted = { ...missedWithin(place, context.now), until: null };
    if (!receivesEvents(endpoint.status)) await enableEndpoint(em, place, context);
    return replayDeliveries(em, wanted, context);
  });
}

async function retryAll(request: ClinicRequest, place: EndpointPlace): Promise<Reply> {
  try {
    const { deliveries } = await whileAsShown(request, place, (em) =>
      retryAllAsConfirmed(em, place, request),
    );
    return deliveriesOf(place, { retried: String(deliveries) });
  } catch (error) {
    if (!(error instanceof UnsureRetry)) throw error;
    return shownAgain(request, { isUnsureOfRetry: true });
  }
}

/** Replaces all of the endpoint's own headers; an empty field removes them. */
async function saveHeaders(request: ClinicRequest, place: EndpointPlace): Promise<Reply> {
  const { form, context } = request;
  const typed = form.get(HEADERS_FIELD) ?? '';
  const headers = ownHeaderLines.safeParse(typed);
  if (!headers.success) return shownAgain(request, { wrongHeaders: typed });
  const change = { ...place, fields: {}, headers: headers.data };
  await whileAsShown(request, place, (em) => updateEndpoint(em, change, context));
  return { to: `${pageOf(place).to}?${savedQuery([])}` };
}

async function sendTest(request: ClinicRequest, place: EndpointPlace): Promise<Reply> {
  const exampleOf = eventType.safeParse(request.form.get('type')).data ?? null;
  const { deliveryId } = await whileAsShown(request, place, (em) =>
    sendTestEvent(em, { ...place, exampleOf }, request.context),
  );
  return { to: `/integrations/deliveries/${deliveryId}` };
}

async function rotate(
  request: ClinicRequest,
  place: EndpointPlace,
  { apiUrl }: EndpointPagesOptions,
): Promise<Reply> {
  const { form, view, context } = request;
  const overlapSeconds = overlap.parse(form.get('overlapSeconds'));
  return whileAsShown(request, place, async (em, endpoint) => {
    const { secret } = await rotateSecret(em, { ...place, overlapSeconds }, context);
    const isPull = deliveryMode(endpoint) === 'pull';
    const isOn = receivesEvents(endpoint.status);
    return shownSecretPage(view, { ...place, secret, apiUrl, isPull, isOn });
  });
}

async function remove(request: ClinicRequest, place: EndpointPlace): Promise<Reply> {
  const { form, context } = request;
  if (form.get('sure') !== 'yes') return shownAgain(request, { isUnsure: true });
  await whileAsShown(request, place, (em) => deleteEndpoint(em, place, context));
  return { to: '/integrations/endpoints' };
}
