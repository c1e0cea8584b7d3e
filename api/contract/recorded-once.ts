import type { z } from 'zod';

/** The answers of a route that is safe to repeat: to the first request, which records, and to an identical one. */
export function recordedOnce<S extends z.ZodType>(schema: S, example: unknown, first: string, again: string) {
  return {
    201: { description: first, schema, example },
    200: { description: again, schema, example },
  };
}
