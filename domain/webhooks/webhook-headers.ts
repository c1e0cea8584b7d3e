import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** Every endpoint secret is this prefix and standard base64. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

const WEBHOOK_USER_AGENT = 'Service-Webhooks/1.0';

interface Signing {
  /** All valid secrets, newest first. During a rotation there are several. */
  secrets: readonly string[];
  /** The time of this attempt. */
  signedAt: Date;
  /** The raw body, byte for byte. */
  body: string;
}

/** One attempt of a delivery, as the receiver sees it. */
interface DeliveryAttempt {
  eventId: string;
  eventType: string;
  deliveryId: string;
  /** 1 for the first attempt. */
  attempt: number;
}

/** Every header of one attempt: docs/webhooks.md#what-arrives */
export function deliveryHeaders(delivery: DeliveryAttempt & Signing): Record<string, string> {
  return headersWith(delivery, serviceSignature(delivery), standardWebhooksHeaders(delivery));
}

/** The headers without signatures, which only the receiver may see. */
export function shownHeaders(delivery: DeliveryAttempt & { signedAt: Date }): Record<string, string> {
  const t = String(unixSeconds(delivery.signedAt));
  return headersWith(delivery, `t=${t},v1=…`, {
    'webhook-id': delivery.eventId,
    'webhook-timestamp': t,
    'webhook-signature': 'v1,…',
  });
}

/** The names of the headers that every delivery has, in lower case. */
export const SERVICE_HEADERS: ReadonlySet<string> = new Set(
  Object.keys(
    shownHeaders({ eventId: '', eventType: '', deliveryId: '', attempt: 1, signedAt: new Date(0) }),
  ).map((name) => name.toLowerCase()),
);

function headersWith(
  { eventId, eventType, deliveryId, attempt }: DeliveryAttempt,
  signature: string,
  standard: StandardWebhooksHeaders,
): Record<string, string> {
  return {
    'User-Agent': WEBHOOK_USER_AGENT,
    Accept: '*/*',
    'Content-Type': 'application/json',
    'X-Service-Signature': signature,
    'X-Service-Event-Id': eventId,
    'X-Service-Event-Type': eventType,
    'X-Service-Delivery-Id': deliveryId,
    'X-Service-Attempt': String(attempt),
    'Idempotency-Key': eventId,
    ...standard,
  };
}

/** `t=…,v1=…[,v1=…]`: docs/webhooks.md#verify-the-signature. The key is the whole secret, prefix included. */
export function serviceSignature({ secrets, signedAt, body }: Signing): string {
  const t = unixSeconds(signedAt);
  const digests = secrets.map((secret) => createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
  return [`t=${t}`, ...digests.map((digest) => `v1=${digest}`)].join(',');
}

type StandardWebhooksHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/** The headers of standardwebhooks.com. The key is the base64-decoded part after the prefix. */
export function standardWebhooksHeaders(message: Signing & { eventId: string }): StandardWebhooksHeaders {
  const timestamp = unixSeconds(message.signedAt);
  const signed = `${message.eventId}.${timestamp}.${message.body}`;
  const digests = message.secrets.map((secret) =>
    createHmac('sha256', standardWebhooksKey(secret)).update(signed).digest('base64'),
  );
  return {
    'webhook-id': message.eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': digests.map((digest) => `v1,${digest}`).join(' '),
  };
}

function standardWebhooksKey(secret: string): KeyObject {
  const encoded = secret.startsWith(WEBHOOK_SECRET_PREFIX)
    ? secret.slice(WEBHOOK_SECRET_PREFIX.length)
    : secret;
  return createSecretKey(encoded, 'base64');
}

function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
