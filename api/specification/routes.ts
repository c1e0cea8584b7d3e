import { createHash } from 'node:crypto';
import { z } from 'zod';
import { defineContracts } from '../contract/define-contracts.ts';
import { answer, implement } from '../contract/implement.ts';

const specificationContracts = defineContracts('Specification', null, {
  getOpenApiDocument: {
    operation: 'GET /openapi.json',
    summary: 'This document',
    access: 'public',
    query: z.looseObject({}),
    headers: z.object({
      'if-none-match': z.string().optional().meta({ description: 'The `ETag` of the document you have.' }),
    }),
    responses: {
      200: {
        description: 'OpenAPI 3.1',
        schema: z.looseObject({ openapi: z.string().describe('The version of OpenAPI.') }),
        headers: ['Cache-Control'],
        example: { openapi: '3.1.0' },
      },
      304: { description: 'You have it.', headers: ['Cache-Control'] },
    },
  },
});

export const specificationRoutes = implement(specificationContracts, (document: { openapi: string }) => {
  const hash = createHash('sha256').update(JSON.stringify(document)).digest('base64url');
  // Weak: the same document, compressed or not.
  const tag = { ETag: `W/"${hash}"`, 'Cache-Control': 'public, max-age=300' };
  return {
    getOpenApiDocument: async ({ headers }) =>
      headers['if-none-match']?.includes(hash) ? answer(304, undefined, tag) : answer(200, document, tag),
  };
});
