import { Webhook } from 'standardwebhooks';

export function readEvent(headers, rawBody, secret) {
  return new Webhook(secret).verify(rawBody, headers);
}
