import type { PageRoute } from '../serving/page-request.ts';
import { deliveryPages } from './deliveries/delivery-pages.ts';
import { endpointPages, type EndpointPagesOptions } from './endpoints/endpoint-pages.ts';
import { alertPages } from './alerts/alert-pages.ts';

/** Everything about webhooks that a clinic's people, and anyone who opened a portal link, may see and do. */
export function webhookPages(options: EndpointPagesOptions): PageRoute[] {
  return [...endpointPages(options), ...deliveryPages(), ...alertPages()];
}
