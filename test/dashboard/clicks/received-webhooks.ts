import { Stripe } from 'stripe';
import type { Receiver } from '../../support/servers/receiver.ts';

/** The event that arrived as this one of all, from 0, once a library has verified its signature. */
export function verified(receiver: Receiver, at: number, secret: string): Stripe.Event {
  const { body = '', headers } = receiver.requests[at] ?? {};
  return Stripe.webhooks.constructEvent(body, String(headers?.['x-service-signature']), secret);
}
