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

/** The name, among the webhooks and the schemas, of what every receiver takes: an event of any type. */
const ANY_EVENT = { webhook: 'event', schema: 'ReceivedEvent' };

/** The `webhooks` section: an operation for each type of event, which the receiver implements, and one for all of them. */
export function writeWebhooks(writer: SchemaWriter) {
  const schemas = new Map(WEBHOOK_EVENTS.map(({ type, schema }) => [type, writer.write(schema, 'output')]));
  const webhooks = WEBHOOK_EVENTS.map((event) => [event.type, { post: writeWebhook(event, schemas) }]);
  return {
    webhooks: Object.fromEntries([...webhooks, [ANY_EVENT.webhook, { post: writeAnyEvent() }]]),
    schemas: { [ANY_EVENT.schema]: oneOf(schemas) },
  };
}

type EventSchemas = ReadonlyMap<string, JsonSchema>;

function writeWebhook({ type, example, ...event }: EventDefinition, schemas: EventSchemas): JsonSchema {
  const { summary, description } = event;
  const content = { schema: schemas.get(type), example };
  return { operationId: operationIdOf(type), summary, description, ...posted(content) };
}

function writeAnyEvent(): JsonSchema {
  return {
    operationId: 'onEvent',
    summary: 'An event of any type',
    description: 'What the receiver at an endpoint takes: one address gets all the types it subscribes to.',
    ...posted({ schema: { $ref: `#/components/schemas/${ANY_EVENT.schema}` } }),
  };
}

/** Told apart by `type`, so that a generated client reads each event as what it is. */
function oneOf(schemas: EventSchemas): JsonSchema {
  const mapping = [...schemas].map(([type, { $ref }]) => [type, $ref]);
  return {
    description: 'An event of any type, as a receiver gets it.',
    oneOf: [...schemas.values()],
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
  };
}

function posted(content: { schema: JsonSchema | undefined; example?: unknown }): JsonSchema {
  return {
    tags: [WEBHOOK_TAG.name],
    security: [],
    parameters: webhookHeaderReferences(),
    requestBody: { required: true, content: { 'application/json': content } },
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
