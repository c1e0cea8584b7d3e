import { Stripe } from 'stripe';

export function readEvent(header, rawBody, secret) {
  Stripe.webhooks.signature.verifyHeader(rawBody, header, secret, 300);
  return JSON.parse(rawBody);
}
