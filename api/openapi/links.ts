import { z } from 'zod';
import type { Contract, Contracts } from '../contract/define-contracts.ts';
import type { JsonSchema } from './schema-writer.ts';

/** Where to go on with the id of an answer: every operation on one resource of the collection at the contract's path. */
export function writeLinks(contract: Contract, schema: z.ZodType | undefined, all: Contracts): JsonSchema {
  const place = placeOfId(schema);
  if (place === null) return {};
  const next = Object.entries(all).filter(([, other]) => other !== contract && isOfOne(other, contract));
  const links = next.map(([operationId]) => [operationId, { operationId, parameters: { id: place } }]);
  return links.length > 0 ? { links: Object.fromEntries(links) as JsonSchema } : {};
}

/** A runtime expression (OpenAPI 3.1, section 4.8.20.4), null when the answer has no id of its own. */
function placeOfId(schema: z.ZodType | undefined): string | null {
  if (!(schema instanceof z.ZodObject)) return null;
  const { id, items } = schema.shape as Record<string, z.ZodType | undefined>;
  if (id) return '$response.body#/id';
  const member = items instanceof z.ZodArray ? items.element : undefined;
  return member instanceof z.ZodObject && 'id' in member.shape ? '$response.body#/items/0/id' : null;
}

/** Only what makes or lists resources leads on; whoever reads one has its id already. */
function isOfOne({ path }: Contract, { path: from, method }: Contract): boolean {
  if (method === 'PUT') return path.startsWith(`${from}/`) || path === from;
  const isOfCollection = method === 'POST' || method === 'GET';
  return isOfCollection && path.startsWith(`${from}/{id}`);
}
