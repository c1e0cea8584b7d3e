import { z } from 'zod';
import { defineContracts } from '../contract/define-contracts.ts';

export const specificationContracts = defineContracts({
  getOpenApiDocument: {
    method: 'GET',
    path: '/openapi.json',
    tag: 'Specification',
    summary: 'This document',
    access: 'public',
    rateClass: 'free',
    request: { query: z.looseObject({}) },
    responses: {
      200: {
        description: 'OpenAPI 3.1',
        schema: z.looseObject({ openapi: z.string() }),
        example: { openapi: '3.1.0' },
      },
    },
    errors: [],
  },
});
