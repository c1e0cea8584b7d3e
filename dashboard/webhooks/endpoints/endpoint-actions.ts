import { z } from 'zod';
import { deleteEndpoint } from '../../../commands/webhooks/delete-endpoint.ts';
import { enableEndpoint } from '../../../commands/webhooks/enable-endpoint.ts';
import { replayDeliveries } from '../../../commands/webhooks/replay-deliveries.ts';
import { requireEndpoint } from '../../../commands/webhooks/require-endpoint.ts';
import { retryEndpointNow } from '../../../commands/webhooks/retry-endpoint-now.ts';
import { rotateSecret } from '../../../commands/webhooks/rotate-secret.ts';
import { sendTestEvent } from '../../../commands/webhooks/send-test-event.ts';
import { updateEndpoint } from '../../../commands/webhooks/update-endpoint.ts';
import { eventType } from '../../../domain/named-enums.schema.ts';
import { receivesEvents } from '../../../domain/webhooks/delivery-status.ts';
import { clinicPage, type ClinicRequest, type PageRoute, type Reply } from '../../page-request.ts';
import { SECRET_OVERLAPS } from './detail-words.ts';
import { endpointPage } from './endpoint-page.ts';
import type { EndpointPagesOptions } from './endpoint-pages.ts';
import { missedWithin, placeOf, readShownEndpoint, type EndpointPlace } from './read-endpoint.ts';
import { shownSecretPage } from './shown-secret-page.ts';

const ADDRESS = '/integrations/endpoints/:id';

const overlap = z.enum(SECRET_OVERLAPS).transform(Number).catch(86_400);

/** What the forms of an endpoint's page do. */
export function endpointActions(options: EndpointPagesOptions): PageRoute[] {
  const post = (name: string, handle: (request: ClinicRequest, place: EndpointPlace) => Promise<Reply>) =>
    clinicPage('POST', `${ADDRESS}/${name}`, 'webhook_changes', (request) =>
      handle(request, placeOf(request)),
    );
  const pageOf = ({ endpointId }: EndpointPlace) => ({ to: `/integrations/endpoints/${endpointId}` });
  const deliveriesOf = ({ endpointId }: EndpointPlace) => ({
    to: `/integrations/deliveries?endpointId=${endpointId}`,
  });
  return [
    post('enable', async ({ write, context }, place) => {
      await write((em) => enableEndpoint(em, place, context));
      return pageOf(place);
    }),
    post('disable', async ({ write, context }, place) => {
      await write((em) => updateEndpoint(em, { ...place, fields: {}, enabled: false }, context));
      return pageOf(place);
    }),
    post('replay', async (request, place) => {
      await sendMissed(request, place);
      return deliveriesOf(place);
    }),
    post('retry', async ({ write, context }, place) => {
      await write((em) => retryEndpointNow(em, place, context));
      return deliveriesOf(place);
    }),
    post('test', async ({ form, write, context }, place) => {
      const exampleOf = eventType.safeParse(form.get('type')).data ?? null;
      const { deliveryId } = await write((em) => sendTestEvent(em, { ...place, exampleOf }, context));
      return { to: `/integrations/deliveries/${deliveryId}` };
    }),
    post('rotate', (request, place) => rotate(request, place, options)),
    post('delete', (request, place) => remove(request, place, options)),
  ];
}

/** One that is off is enabled first, with it or not at all. */
function sendMissed({ write, context }: ClinicRequest, place: EndpointPlace): Promise<unknown> {
  return write(async (em) => {
    const wanted = { ...missedWithin(place, context.now), until: null };
    const endpoint = await requireEndpoint(em, place);
    if (!receivesEvents(endpoint.status)) await enableEndpoint(em, place, context);
    return replayDeliveries(em, wanted, context);
  });
}

async function rotate(
  { form, view, write, context }: ClinicRequest,
  place: EndpointPlace,
  { cipher, apiUrl }: EndpointPagesOptions,
): Promise<Reply> {
  const input = { ...place, overlapSeconds: overlap.parse(form.get('overlapSeconds')), cipher };
  const { endpoint, secret } = await write((em) => rotateSecret(em, input, context));
  const isOn = receivesEvents(endpoint.status);
  return shownSecretPage(view, { endpointId: endpoint.id, secret, apiUrl, isOn });
}

async function remove(
  { form, view, read, write, context }: ClinicRequest,
  place: EndpointPlace,
  { cipher }: EndpointPagesOptions,
): Promise<Reply> {
  if (form.get('sure') !== 'yes') {
    const shown = await read((em) => readShownEndpoint(em, place, { cipher, now: context.now }));
    return endpointPage(view, { ...shown, isUnsure: true });
  }
  await write((em) => deleteEndpoint(em, place, context));
  return { to: '/integrations/endpoints' };
}
