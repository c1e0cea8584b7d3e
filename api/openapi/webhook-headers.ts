import type { JsonSchema } from './schema-writer.ts';

const EVENT_ID = 'evt_0195571c5a607a3e9f002f5d1c9b7a30';
const eventId = { type: 'string', pattern: '^evt_[0-9a-f]{32}$' };
const unixSeconds = '1771605912';

/** The headers of every delivery, by component name: docs/webhooks.md#what-arrives */
const WEBHOOK_HEADERS = {
  WebhookSignature: {
    name: 'X-Service-Signature',
    description:
      '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` under the whole endpoint secret, `whsec_` included. ' +
      'One `v1` for each valid secret while a rotation overlaps. Reject a `t` that differs from your clock by more than 5 minutes.',
    schema: { type: 'string', pattern: '^t=[0-9]+(,v1=[0-9a-f]{64})+$' },
    example: `t=${unixSeconds},v1=8ca7492247444b1fbda9c014f9fa2bc24c738c23d8e47f943948f26ece18573b`,
  },
  WebhookEventId: {
    name: 'X-Service-Event-Id',
    description: 'The event’s `id`. It is the same in every attempt, resend and replay.',
    schema: eventId,
    example: EVENT_ID,
  },
  WebhookEventType: {
    name: 'X-Service-Event-Type',
    description: 'The event’s `type`.',
    schema: { type: 'string' },
    example: 'appointment.created',
  },
  WebhookDeliveryId: {
    name: 'X-Service-Delivery-Id',
    description: 'The delivery; see `GET /v1/webhook-deliveries/{id}`.',
    schema: { type: 'string', format: 'uuid' },
    example: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a60',
  },
  WebhookAttempt: {
    name: 'X-Service-Attempt',
    description: 'The number of the attempt, from 1.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  WebhookIdempotencyKey: {
    name: 'Idempotency-Key',
    description: 'The event’s `id` again.',
    schema: eventId,
    example: EVENT_ID,
  },
  WebhookStandardId: {
    name: 'webhook-id',
    description: 'Standard Webhooks: the event’s `id`.',
    schema: eventId,
    example: EVENT_ID,
  },
  WebhookStandardTimestamp: {
    name: 'webhook-timestamp',
    description: 'Standard Webhooks: unix seconds of this attempt.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: unixSeconds,
  },
  WebhookStandardSignature: {
    name: 'webhook-signature',
    description: 'Standard Webhooks: `v1,<base64>`, separated by spaces, one for each valid secret.',
    schema: { type: 'string' },
    example: 'v1,sDUdsvqBBzOKbm05FzcRz2WjX9LDFSjx49BFR6Wj5Lo=',
  },
};

/** The headers as components of the document. */
export function webhookHeaderComponents() {
  const entries = Object.entries(WEBHOOK_HEADERS).map(([component, header]) => [
    component,
    { ...header, in: 'header', required: true },
  ]);
  return Object.fromEntries(entries) as JsonSchema;
}

export function webhookHeaderReferences(): JsonSchema[] {
  return Object.keys(WEBHOOK_HEADERS).map((component) => ({ $ref: `#/components/parameters/${component}` }));
}
