import type { z } from 'zod';
import type { ResponseContract } from './define-contracts.ts';
import type { ResponseHeader } from './response-headers.ts';

/** The one good answer of a route. */
export function oneAnswer<const Status extends number, S extends z.ZodType>(
  status: Status,
  description: string,
  schema: S,
  example: unknown,
  headers: readonly ResponseHeader[] = [],
) {
  const answer: ResponseContract & { schema: S } = { description, schema, example, headers };
  return { [status]: answer } as Record<Status, typeof answer>;
}

/** The answers of a route that is safe to repeat: to the first request, which records, and to an identical one. */
export function recordedOnce<S extends z.ZodType>(schema: S, example: unknown, first: string, again: string) {
  return {
    201: { description: first, schema, example },
    200: { description: again, schema, example },
  };
}

/** The answer of a list that comes in pages. @param example of an item */
export function pageAnswer<S extends z.ZodType>(description: string, schema: S, example: unknown) {
  return oneAnswer(200, description, schema, { items: [example], nextCursor: null, hasMore: false });
}
