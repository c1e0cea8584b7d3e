import type { Contracts } from '../contract/define-contracts.ts';
import { errorBodySchema } from '../contract/error-body.ts';
import { RESPONSE_HEADERS } from '../contract/response-headers.ts';
import { errorExampleComponents } from './error-examples.ts';
import { writeOperation } from './operation.ts';
import { createSchemaWriter, type JsonSchema, type SchemaWriter } from './schema-writer.ts';
import { writeTags } from './tags.ts';
import { webhookHeaderComponents } from './webhook-headers.ts';
import { writeWebhooks } from './webhooks.ts';

const DESCRIPTION = `Appointments, calls and signed webhooks of a clinic with an AI voice receptionist.

Send an API key as \`Authorization: Bearer <key>\`; every request acts on the clinic of its key. Bodies are JSON.
Timestamps need an offset on input and are UTC with milliseconds on output. Every answer carries \`X-Request-Id\`.`;

const LICENSE = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' };

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
