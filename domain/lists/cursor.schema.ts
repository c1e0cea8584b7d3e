import { z } from 'zod';
import { EARLIEST_MS, LATEST_MS } from '../instant-range.ts';

/** An opaque position in a sorted list: the sort values of the last item shown. */
export interface CursorKind<Item, Place = Item> {
  encode(item: Item): string;
  /** The schema of the query parameter; it returns the position. */
  parameter: z.ZodType<Place, string>;
}

const MESSAGE = 'must be a `nextCursor` of this list';

/** Any cursor, without decoding it. */
export function cursorText() {
  return z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, MESSAGE)
    .describe('`nextCursor` of the previous page, with the same filters. By default, the first page.');
}

/** Defines a kind of cursor. @param name the list's name, so that a cursor of another list is refused */
export function cursorOf<T>(name: string, position: z.ZodType<T>) {
  // Clients may hold cursors during an upgrade, so the key keeps its name.
  const content = z.object({ list: z.literal(name), place: position });
  return {
    encode: (position: T) =>
      Buffer.from(JSON.stringify({ list: name, place: position })).toString('base64url'),
    parameter: cursorText().transform((text, context) => {
      const read = content.safeParse(decode(text));
      if (read.success) return read.data.place;
      context.addIssue({ code: 'custom', message: MESSAGE });
      return z.NEVER;
    }),
  };
}

/** A position in a list by name, then id. */
export function cursorByName(list: string): CursorKind<{ name: string; id: string }> {
  // A manipulated cursor may contain text that PostgreSQL cannot read.
  const { encode, parameter } = cursorOf(
    list,
    z.object({ name: z.string().regex(/^[^\0]*$/), id: z.guid() }),
  );
  return { encode: ({ name, id }) => encode({ name, id }), parameter };
}

/** A position in a list by id. */
export function cursorById(list: string): CursorKind<{ id: string }, string> {
  const { encode, parameter } = cursorOf(list, z.guid());
  return { encode: ({ id }) => encode(id), parameter };
}

/** A position in a list by time, then id. @param time the field to sort by */
export function cursorByTime<Time extends string>(
  list: string,
  time: Time,
  id: z.ZodType<string> = z.guid(),
): CursorKind<Record<Time, Date | string> & { id: string }, Record<Time, Date> & { id: string }> {
  const { encode, parameter } = cursorOf(list, z.tuple([z.int().min(EARLIEST_MS).max(LATEST_MS), id]));
  return {
    encode: (item) => encode([new Date(item[time]).getTime(), item.id]),
    parameter: parameter.transform(([ms, after]) => ({ [time]: new Date(ms), id: after }) as never),
  };
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    // The cursor is invalid, so the schema refuses it.
    return null;
  }
}
