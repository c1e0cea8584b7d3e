import type { Contracts } from '../contract/define-contracts.ts';
import { errorBodySchema } from '../contract/error-body.ts';
import { RESPONSE_HEADERS } from '../contract/response-headers.ts';
import { errorExampleComponents } from './error-examples.ts';
import { writeOperation } from './operation.ts';
import { createSchemaWriter, type JsonSchema, type SchemaWriter } from './schema-writer.ts';
import { webhookHeaderComponents, webhookHeaderReferences } from './webhook-headers.ts';
import type { EventDefinition } from '../../domain/webhooks/events/define-event.schema.ts';
import { WEBHOOK_EVENTS } from '../../domain/webhooks/events/webhook-events.schema.ts';

const DESCRIPTION = `Appointments, calls and signed webhooks of a clinic with an AI voice receptionist.

Send an API key as \`Authorization: Bearer <key>\`; every request acts on the clinic of its key. Bodies are JSON.
Timestamps need an offset on input and are UTC with milliseconds on output. Every answer carries \`X-Request-Id\`.`;

const LICENSE = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' };

/** The introduction of each section. */
const TAGS: Readonly<Record<string, string>> = {
  Health: 'Health checks. They need no key.',
  Clinic: 'The clinic that the key belongs to, and its settings.',
  Appointments: 'Book, find, check in, reschedule and cancel appointments; free slots; history.',
  'Slot holds': 'Hold a slot while a caller decides.',
  'Professionals and services': 'Who and what can be booked.',
  'Busy blocks': 'When the clinic or a professional cannot be booked: lunch, meetings, leave.',
  Calls: 'What the AI receptionist did on the phone, with recordings.',
  'Call ingest': 'For the telephony side: report calls, transcripts and recordings. Safe to repeat.',
  'Patient answers': 'Patient feedback and intake forms.',
  Patients: 'Export and erase the data of a patient.',
  'Webhook endpoints': 'Where events are sent, which events are sent, and how they are signed.',
  'Delivery log': 'Every event, delivery and attempt. Resend deliveries.',
  'API keys': 'The keys of the clinic, and the calling key.',
  Notifications: 'Alerts about endpoints.',
  Agents: 'Tools for AI agents at the reception, over the Model Context Protocol.',
  Specification: 'This description, for tools.',
};

/** The OpenAPI 3.1 document of the routes and of the webhooks. */
export function openApiDocument(contracts: Contracts): JsonSchema & { openapi: string } {
  const writer = createSchemaWriter();
  writer.write(errorBodySchema, 'output');
  const paths = writePaths(contracts, writer);
  const { webhooks, schemas } = writeWebhooks(writer);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Clinic appointments and calls',
      version: '1.0.0',
      description: DESCRIPTION,
      license: LICENSE,
    },
    servers: [{ url: '/' }],
    tags: writeTags(contracts),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: '`svc_live_…` or `svc_test_…`' },
      },
      headers: RESPONSE_HEADERS,
      examples: errorExampleComponents(contracts),
      parameters: webhookHeaderComponents(),
      schemas: { ...writer.components(), ...schemas },
    },
  };
}

function writePaths(contracts: Contracts, writer: SchemaWriter): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const [operationId, contract] of Object.entries(contracts)) {
    const path = (paths[contract.path] ??= {});
    path[contract.method.toLowerCase()] = writeOperation(operationId, contracts, writer);
  }
  return paths;
}

/** The contracts' tags in order, then the webhooks' tag. */
function writeTags(contracts: Contracts) {
  const names = [...new Set(Object.values(contracts).map(({ tag }) => tag))];
  return [...names.map((name) => ({ name, description: TAGS[name] })), WEBHOOK_TAG];
}

const WEBHOOK_TAG = {
  name: 'Webhook events',
  description:
    'What the service posts to the clinic’s endpoints. Respond with any 2xx within 10 seconds; otherwise the event is sent again ' +
    'after 30 seconds, 5 minutes, 30 minutes, 2 hours and 12 hours. Fields can be added; ignore unknown ones.',
};

/** The names of the webhook and schema for an event of any type. */
const ANY_EVENT = { webhook: 'event', schema: 'ReceivedEvent' };

/** The `webhooks` section: one operation per event type, implemented by the receiver, and one for all types. */
function writeWebhooks(writer: SchemaWriter) {
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
    description: 'An event of any type. One URL receives events of all the types that it subscribes to.',
    ...posted({ schema: { $ref: `#/components/schemas/${ANY_EVENT.schema}` } }),
  };
}

/** Discriminated by `type`, so that a generated client reads each event as its own type. */
function oneOf(schemas: EventSchemas): JsonSchema {
  const mapping = [...schemas].map(([type, { $ref }]) => [type, $ref]);
  return {
    description: 'An event as an endpoint receives it.',
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
      '2XX': {
        description: 'Received. The response body is ignored, except for an excerpt in the delivery log.',
      },
      '4XX': {
        description: 'Not accepted, for example 401 for a wrong signature. The event is sent again later.',
      },
      '5XX': { description: 'Not accepted. The event is sent again later.' },
    },
  };
}

/** `appointment.no_show` becomes `onAppointmentNoShow`. */
function operationIdOf(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `on${words.join('')}`;
}
