import { z } from 'zod';
import { deleteEndpoint, enableEndpoint } from '../../../commands/webhooks/change-endpoint-health.ts';
import { replayDeliveries } from '../../../commands/webhooks/sending-again/replay-deliveries.ts';
import { readEndpoint } from '../../../commands/webhooks/require-endpoint.ts';
import { retryEndpointNow } from '../../../commands/webhooks/sending-again/retry-now.ts';
import { rotateSecret } from '../../../commands/webhooks/rotate-secret.ts';
import { sendTestEvent } from '../../../commands/webhooks/send-test-event.ts';
import { updateEndpoint } from '../../../commands/webhooks/save-endpoint.ts';
import {
  WebhookEndpointEntity,
  type WebhookEndpointRow,
} from '../../../db/entities/webhook-endpoint.entity.ts';
import { eventType } from '../../../domain/named-enums.schema.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import { receivesEvents } from '../../../domain/webhooks/endpoint-status.ts';
import { secretShownBeforePage } from '../../made-once/secret-shown-before-page.ts';
import { clinicPage, type ClinicRequest, type PageRoute, type Reply } from '../../serving/page-request.ts';
import { SECRET_OVERLAPS } from './detail-words.ts';
import { onceAsShown, whileAsShown } from './as-shown.ts';
import type { Timings } from '../../../domain/timings.ts';
import { lastDoneTo } from './done-before.ts';
import { endpointPage } from './endpoint-page.ts';
import type { EndpointPagesOptions } from './endpoint-pages.ts';
import { missedWithin, placeOf, readShownEndpoint, type EndpointPlace } from './read-endpoint.ts';
import { shownSecretPage } from './shown-secret-page.ts';

const ADDRESS = '/integrations/endpoints/:id';

const overlap = z.enum(SECRET_OVERLAPS).transform(Number).catch(86_400);

/** What the forms of an endpoint's page do. */
export function endpointActions(options: EndpointPagesOptions): PageRoute[] {
  const post = (name: string, handle: Handle, isDone: IsDone = () => false) =>
    clinicPage('POST', `${ADDRESS}/${name}`, 'webhook_changes', (request) =>
      unlessOutdated(request, { handle, isDone, timings: options.timings }),
    );
  return [
    post(
      'enable',
      async (request, place) => {
        await whileAsShown(request, place, (em) => enableEndpoint(em, place, request.context));
        return pageOf(place);
      },
      ({ status }) => receivesEvents(status),
    ),
    post(
      'disable',
      async (request, place) => {
        const change = { ...place, fields: {}, enabled: false };
        await whileAsShown(request, place, (em) => updateEndpoint(em, change, request.context));
        return pageOf(place);
      },
      ({ status }) => status === 'disabled',
    ),
    post('replay', async (request, place) => {
      const { deliveries } = await sendMissed(request, place);
      return deliveriesOf(place, { sent: String(deliveries) });
    }),
    post('retry', async (request, place) => {
      const { deliveries } = await onceAsShown(request, place, {
        action: 'endpoint.retried',
        work: (em) => retryEndpointNow(em, place, request.context),
      });
      return deliveriesOf(place, { retried: String(deliveries) });
    }),
    post('test', sendTest),
    post('rotate', (request, place) => rotate(request, place, options)),
    post('delete', (request, place) => remove(request, place, options)),
  ];
}

type Handle = (request: ClinicRequest, place: EndpointPlace) => Promise<Reply>;
/** Whether an endpoint is as somebody wished it, whoever made it so. */
type IsDone = (endpoint: WebhookEndpointRow) => boolean;

/** Whoever is not the first to change the endpoint sees how it stands now. */
async function unlessOutdated(
  request: ClinicRequest,
  { handle, isDone, timings }: { handle: Handle; isDone: IsDone; timings: Timings },
): Promise<Reply> {
  const place = placeOf(request);
  try {
    return await handle(request, place);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'version_mismatch') throw error;
    const { view, read } = request;
    const shown = await read((em) => readShownEndpoint(em, place, { now: view.now, timings }));
    return isDone(shown.endpoint) ? pageOf(place) : endpointPage(view, { ...shown, isOutdated: true });
  }
}

function pageOf({ endpointId }: EndpointPlace) {
  return { to: `/integrations/endpoints/${endpointId}` };
}

function deliveriesOf({ endpointId }: EndpointPlace, said: { sent: string } | { retried: string }) {
  return { to: `/integrations/deliveries?${new URLSearchParams({ endpointId, ...said }).toString()}` };
}

/** One that is off is enabled first, with it or not at all. */
function sendMissed(request: ClinicRequest, place: EndpointPlace) {
  const { context } = request;
  return onceAsShown(request, place, {
    action: 'endpoint.replayed',
    work: async (em, endpoint) => {
      const wanted = { ...missedWithin(place, context.now), until: null };
      if (!receivesEvents(endpoint.status)) await enableEndpoint(em, place, context);
      return replayDeliveries(em, wanted, context);
    },
  });
}

async function sendTest(request: ClinicRequest, place: EndpointPlace): Promise<Reply> {
  const exampleOf = eventType.safeParse(request.form.get('type')).data ?? null;
  const { deliveryId } = await onceAsShown(request, place, {
    action: 'endpoint.tested',
    work: (em) => sendTestEvent(em, { ...place, exampleOf }, request.context),
    isSame: (details) => (details['exampleOf'] ?? null) === exampleOf,
  });
  return { to: `/integrations/deliveries/${String(deliveryId)}` };
}

async function rotate(
  request: ClinicRequest,
  place: EndpointPlace,
  { apiUrl }: EndpointPagesOptions,
): Promise<Reply> {
  const { form, view, context, read } = request;
  const input = { ...place, overlapSeconds: overlap.parse(form.get('overlapSeconds')) };
  const { secret } = await onceAsShown(request, place, {
    action: 'endpoint.secret_rotated',
    work: (em) => rotateSecret(em, input, context),
  });
  if (typeof secret !== 'string') return secretShownBeforePage(view, pageOf(place).to);
  const { status } = await read((em) => readEndpoint(em, place));
  const seen = await read((em) => lastDoneTo(em, place));
  return shownSecretPage(view, {
    endpointId: place.endpointId,
    secret,
    apiUrl,
    isOn: receivesEvents(status),
    seen,
  });
}

async function remove(
  request: ClinicRequest,
  place: EndpointPlace,
  { timings }: EndpointPagesOptions,
): Promise<Reply> {
  const { form, view, read, context } = request;
  if (form.get('sure') !== 'yes') {
    const shown = await read((em) => readShownEndpoint(em, place, { now: context.now, timings }));
    return endpointPage(view, { ...shown, isUnsure: true });
  }
  // Of a form that is sent twice the second one finds nothing to delete.
  const { tenantId, endpointId: id } = place;
  const found = await read((em) => em.findOne(WebhookEndpointEntity, { tenantId, id }));
  if (!found?.deletedAt) await whileAsShown(request, place, (em) => deleteEndpoint(em, place, context));
  return { to: '/integrations/endpoints' };
}
