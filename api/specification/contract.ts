import { z } from 'zod';
import { defineContracts } from '../contract/define-contracts.ts';

/** Served with the documentation: docs-site/serve-docs-site.ts */
export const specificationContracts = defineContracts('Specification', null, {
  getOpenApiDocument: {
    operation: 'GET /openapi.json',
    summary: 'Get this document',
    access: 'public',
    query: z.looseObject({}),
    headers: z.object({
      'if-none-match': z.string().optional().meta({ description: 'The `ETag` of your copy.' }),
    }),
    responses: {
      200: {
        description: 'OpenAPI 3.1',
        schema: z.looseObject({ openapi: z.string().describe('The OpenAPI version.') }),
        headers: ['Cache-Control'],
        example: { openapi: '3.1.0' },
      },
      304: { description: 'Your copy is current.', headers: ['Cache-Control'] },
    },
    errors: ['rate_limited'],
  },
});
