import { z } from 'zod';
import { component, oneAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, integerParameter, limitParameter } from '../contract/fields.ts';
import { deliveryExample } from '../webhook-deliveries/contract.ts';
import { TAG } from '../webhook-endpoints/contract.ts';
import { encodeQueueCursor, MAX_QUEUE_PAGE, queueCursor } from './queue-cursor.ts';

const MAX_WAIT_SECONDS = 25;

const queuedSchema = component('WebhookQueueItem', 'A delivery in the queue.', {
  deliveryId: id().describe('The delivery.'),
  event: z.string().describe('The event as text, exactly as it is signed.'),
  headers: z
    .record(z.string(), z.string())
    .describe('The headers that a POST of the event would have, with signatures.'),
});

const pageSchema = component('WebhookQueuePage', 'The next deliveries in the queue.', {
  items: z.array(queuedSchema).describe('The deliveries, oldest first.'),
  cursor: z.string().describe('Pass it with the next request, to acknowledge these deliveries.'),
});

export const webhookQueueContracts = defineContracts(TAG, 'endpoint', {
  readWebhookQueue: {
    operation: 'GET /v1/webhook-endpoints/{id}/queue',
    access: ['webhooks:write'],
    waits: true,
    summary: 'Read the queue of a pull endpoint',
    description:
      'For a system behind a firewall. Process the items, then pass `cursor` with the next request: it ends these deliveries as ' +
      '`succeeded` and returns the next ones. Without `cursor`, the queue is read again from the first delivery that is not acknowledged. ' +
      'With `waitSeconds`, an empty queue is answered as soon as there is a delivery. The key also needs the scopes to read the ' +
      'subscribed events, and those that still wait from an earlier subscription. Only pull endpoints have a queue.',
    query: z.strictObject({
      cursor: queueCursor.optional(),
      limit: limitParameter({ maximum: MAX_QUEUE_PAGE, default: MAX_QUEUE_PAGE }),
      waitSeconds: integerParameter({ minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 }).describe(
        `How long to wait for a delivery, 0 to ${MAX_WAIT_SECONDS} seconds. By default, 0.`,
      ),
    }),
    responses: oneAnswer(200, 'The next deliveries; none when the queue is empty.', pageSchema, {
      items: [
        {
          deliveryId: deliveryExample.id,
          event: JSON.stringify({ id: deliveryExample.eventId, type: deliveryExample.eventType }),
          headers: { 'X-Service-Event-Id': deliveryExample.eventId },
        },
      ],
      cursor: encodeQueueCursor({
        endpointId: deliveryExample.endpointId,
        deliveryIds: [deliveryExample.id],
      }),
    }),
  },
});
