import { createHash } from 'node:crypto';
import { answer, implement } from '../contract/implement.ts';
import { specificationContracts } from './contract.ts';

export const specificationRoutes = implement(specificationContracts, (document: { openapi: string }) => {
  const hash = createHash('sha256').update(JSON.stringify(document)).digest('base64url');
  // Weak: the same document, compressed or not.
  const tag = { ETag: `W/"${hash}"`, 'Cache-Control': 'public, max-age=300' };
  return {
    getOpenApiDocument: async ({ headers }) =>
      headers['if-none-match']?.includes(hash) ? answer(304, undefined, tag) : answer(200, document, tag),
  };
});
