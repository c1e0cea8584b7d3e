import type { Contracts } from '../contract/define-contracts.ts';
import { errorBodySchema } from '../contract/error-body.ts';
import { RESPONSE_HEADERS } from '../contract/response-headers.ts';
import { errorExampleComponents } from './error-examples.ts';
import { writeOperation } from './operation.ts';
import { createSchemaWriter, type JsonSchema, type SchemaWriter } from './schema-writer.ts';
import { webhookHeaderComponents } from './webhook-headers.ts';
import { WEBHOOK_TAG, writeWebhooks } from './webhooks.ts';

const DESCRIPTION = `Appointments, calls and signed webhooks of a clinic with an AI voice receptionist.

Send an API key as \`Authorization: Bearer <key>\`; every request acts on the clinic of its key. Bodies are JSON.
Timestamps need an offset on input and are UTC with milliseconds on output. Every answer carries \`X-Request-Id\`.`;

const LICENSE = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' };

/** What stands over each chapter. */
const TAGS: Readonly<Record<string, string>> = {
  Health: 'Probes; they need no key.',
  Clinic: 'The clinic that the key belongs to, and its settings.',
  Appointments: 'Book, find, check in, move and cancel; free times; what happened to an appointment.',
  'Slot holds': 'Keep a time free while somebody on the phone decides.',
  'Professionals and services': 'Whom and what can be booked.',
  'Busy blocks': 'When nobody can be booked, or a professional cannot: lunch, meetings, leave.',
  Calls: 'What the AI receptionist did on the phone, with recordings.',
  'Call ingest':
    'For the telephony side: report calls, what was said in them, and their recordings. Safe to repeat.',
  'Patient answers': 'Ratings after a visit and forms filled in before it.',
  'Webhook endpoints': 'Where events are sent, which ones, and signed with what.',
  'Delivery log': 'Every event, every delivery of it and every attempt; send one again.',
  'API keys': 'The keys of the clinic, and the one that asks.',
  Notifications: 'What the clinic was told about its endpoints.',
  Agents: 'Tools for a language model at the reception, over the Model Context Protocol.',
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

/** The tags of the contracts in their order, then that of the webhooks. */
function writeTags(contracts: Contracts) {
  const names = [...new Set(Object.values(contracts).map(({ tag }) => tag))];
  return [...names.map((name) => ({ name, description: TAGS[name] })), WEBHOOK_TAG];
}
