import { z } from 'zod';
import { EARLIEST_MS, LATEST_MS } from './instant-range.ts';

/** An opaque position in a sorted list: the sort values of the last item shown. */
export interface CursorKind<Item, Place = Item> {
  encode(item: Item): string;
  /** The schema of the query parameter: the place as the list is asked for what comes after it. */
  parameter: z.ZodType<Place, string>;
}

const MESSAGE = 'must be a `nextCursor` of this list';

/** Any cursor, as long as it is not read. */
export function cursorText() {
  return z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, MESSAGE)
    .describe('`nextCursor` of the previous page, with the same filters. By default, the first page.');
}

/** @param name keeps the cursor of one list from being used on another */
export function cursorOf<T>(name: string, position: z.ZodType<T>) {
  // Clients hold cursors while a new version comes: the key keeps its name.
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

/** The place of a row in a list by name, where those of the same name stand by their ids. */
export function cursorByName(list: string): CursorKind<{ name: string; id: string }> {
  // Who takes a cursor apart may put into it what PostgreSQL does not read.
  const { encode, parameter } = cursorOf(
    list,
    z.object({ name: z.string().regex(/^[^\0]*$/), id: z.guid() }),
  );
  return { encode: ({ name, id }) => encode({ name, id }), parameter };
}

/** The place of a row in a list by id. */
export function cursorById(list: string): CursorKind<{ id: string }, string> {
  const { encode, parameter } = cursorOf(list, z.guid());
  return { encode: ({ id }) => encode(id), parameter };
}

/** The place of a row in a list by time, where those of the same time stand by their ids. @param time which of its times */
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
    // Not one of ours; the schema refuses it.
    return null;
  }
}
