import { z } from 'zod';
import type { Contract, Contracts } from '../contract/define-contracts.ts';
import type { JsonSchema } from './schema-writer.ts';

/** Where to go on with the id of an answer: every operation on one resource of the collection at the contract's path. */
export function writeLinks(contract: Contract, schema: z.ZodType | undefined, all: Contracts): JsonSchema {
  const expression = expressionOfId(schema);
  if (expression === null) return {};
  const next = Object.entries(all).filter(([, other]) => other !== contract && isOfOne(other, contract));
  const links = next.map(([operationId]) => [operationId, { operationId, parameters: { id: expression } }]);
  return links.length > 0 ? { links: Object.fromEntries(links) as JsonSchema } : {};
}

/** A runtime expression (OpenAPI 3.1, section 4.8.20.4), null when the answer has no id of its own. */
function expressionOfId(schema: z.ZodType | undefined): string | null {
  const { id, items } = fieldsOf(schema);
  if (id) return '$response.body#/id';
  const member = items instanceof z.ZodArray ? items.element : undefined;
  return fieldsOf(member)['id'] ? '$response.body#/items/0/id' : null;
}

/** Of an object, or of one that is put together from several. */
function fieldsOf(schema: unknown): Record<string, unknown> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (!(schema instanceof z.ZodIntersection)) return {};
  return { ...fieldsOf(schema.def.left), ...fieldsOf(schema.def.right) };
}

/** Only what makes or lists resources leads on; whoever reads one has its id already. */
function isOfOne({ path }: Contract, { path: from, method }: Contract): boolean {
  if (method === 'PUT') return path.startsWith(`${from}/`) || path === from;
  const isOfCollection = method === 'POST' || method === 'GET';
  return isOfCollection && path.startsWith(`${from}/{id}`);
}
