import type { PageRoute } from '../serving/page-request.ts';
import { deliveryPages } from './deliveries/delivery-pages.ts';
import { endpointPages, type EndpointPagesOptions } from './endpoints/endpoint-pages.ts';
import { alertPages } from './alerts/alert-pages.ts';

/** The webhook pages for a clinic's people and for portal links. */
export function webhookPages(options: EndpointPagesOptions): PageRoute[] {
  return [...endpointPages(options), ...deliveryPages(), ...alertPages()];
}
