import type { z } from 'zod';

/** The answers of a route that is safe to repeat: to the first request, which records, and to an identical one. */
export function recordedOnce<S extends z.ZodType>(schema: S, example: unknown, first: string, again: string) {
  return {
    201: { description: first, schema, example },
    200: { description: again, schema, example },
  };
}

/** The answer of a list that comes in pages. @param example of an item */
export function pageAnswer<S extends z.ZodType>(description: string, schema: S, example: unknown) {
  return { 200: { description, schema, example: { items: [example], nextCursor: null, hasMore: false } } };
}
