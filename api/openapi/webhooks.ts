import type { EventDefinition } from '../../domain/webhooks/events/define-event.schema.ts';
import { WEBHOOK_EVENTS } from '../../domain/webhooks/events/webhook-events.schema.ts';
import type { JsonSchema, SchemaWriter } from './schema-writer.ts';
import { webhookHeaderReferences } from './webhook-headers.ts';

export const WEBHOOK_TAG = {
  name: 'Webhook events',
  description:
    'What the service posts to the clinic’s receivers. Answer with any 2xx within 10 seconds; anything else is tried again ' +
    'after 30 seconds, 5 minutes, 30 minutes, 2 hours and 12 hours. Fields may be added; ignore those you do not know.',
};

/** The `webhooks` section: one operation for each type of event, which the receiver implements. */
export function writeWebhooks(writer: SchemaWriter): Record<string, JsonSchema> {
  return Object.fromEntries(
    WEBHOOK_EVENTS.map((event) => [event.type, { post: writeWebhook(event, writer) }]),
  );
}

function writeWebhook(event: EventDefinition, writer: SchemaWriter): JsonSchema {
  const { type, summary, description, schema, example } = event;
  return {
    operationId: operationIdOf(type),
    tags: [WEBHOOK_TAG.name],
    summary,
    description,
    security: [],
    parameters: webhookHeaderReferences(),
    requestBody: {
      required: true,
      // As input: a receiver must expect fields that are not listed yet.
      content: { 'application/json': { schema: writer.write(schema, 'input'), example } },
    },
    responses: {
      '2XX': { description: 'Received. The body is ignored, except for an excerpt in the delivery log.' },
      '4XX': { description: 'Not accepted, for instance 401 for a wrong signature: tried again later.' },
      '5XX': { description: 'Not accepted: tried again later.' },
    },
  };
}

/** `appointment.no_show` becomes `onAppointmentNoShow`. */
function operationIdOf(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `on${words.join('')}`;
}
