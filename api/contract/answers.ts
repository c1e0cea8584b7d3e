import { z } from 'zod';
import type { ResponseContract } from './define-contracts.ts';
import type { ResponseHeader } from './response-headers.ts';

/** A named object in the OpenAPI document; client generators use the name as its type. */
export function component<Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) {
  return z.object(shape).meta({ id, description });
}

/** A component with all fields of another component, and more fields. */
export function extension<Base extends z.ZodType, Shape extends z.ZodRawShape>(
  base: Base,
  id: string,
  description: string,
  more: Shape,
) {
  return base.and(z.object(more)).meta({ id, description });
}

/** A list without pages. */
export function listOf<S extends z.ZodType>(item: S, name: string) {
  return component(name, 'A complete list.', { items: z.array(item).describe('All items.') });
}

/** A list with pages. */
export function pageOf<S extends z.ZodType>(item: S, name: string) {
  return component(name, 'A page of a list.', {
    items: z.array(item).describe('The items of this page.'),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Pass it as `cursor` to get the next page. Null on the last page.' }),
    hasMore: z.boolean().meta({ description: 'Whether there is another page.' }),
  });
}

/** The only success response of a route. */
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

/**
 * The responses of a route that is safe to repeat: 201 for the first request, which stores something, and 200 for an
 * identical request.
 */
export function recordedOnce<S extends z.ZodType>(schema: S, example: unknown, first: string, again: string) {
  return {
    201: { description: first, schema, example },
    200: { description: again, schema, example },
  };
}

/** The response of a paged list. @param name the component's name for a page @param example an example of an item */
export function pageAnswer<S extends z.ZodType>(
  description: string,
  name: string,
  item: S,
  example: unknown,
) {
  return oneAnswer(200, description, pageOf(item, name), onlyPage(example));
}

/** An example of a page. */
export function onlyPage(item: unknown) {
  return { items: [item], nextCursor: null, hasMore: false };
}
