import { answer, implement, type Route } from '../contract/implement.ts';
import { specificationContracts } from './contract.ts';

export function specificationRoutes(document: { openapi: string }): Route[] {
  return implement(specificationContracts, {
    getOpenApiDocument: async () => answer(200, document),
  });
}
