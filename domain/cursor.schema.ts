import { z } from 'zod';
import { EARLIEST_MS, LATEST_MS } from './instant-range.ts';

/** An opaque position in a sorted list: the sort values of the last item shown. */
export interface CursorKind<T> {
  encode(position: T): string;
  /** The schema of the query parameter. */
  parameter: z.ZodType<T, string>;
}

const MESSAGE = 'must be a nextCursor of this list';

/** Any cursor, as long as it is not read. */
export function cursorText() {
  return z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, MESSAGE)
    .describe('`nextCursor` of the previous page, with the same filters; the first page unless told.');
}

/** @param name keeps the cursor of one list from being used on another */
export function cursorOf<T>(name: string, position: z.ZodType<T>): CursorKind<T> {
  // Clients hold cursors while a new version comes: the key keeps its name.
  const content = z.object({ list: z.literal(name), place: position });
  return {
    encode: (position) => Buffer.from(JSON.stringify({ list: name, place: position })).toString('base64url'),
    parameter: cursorText().transform((text, context) => {
      const read = content.safeParse(decode(text));
      if (read.success) return read.data.place;
      context.addIssue({ code: 'custom', message: MESSAGE });
      return z.NEVER;
    }),
  };
}

/** The place of a row in a list by name, where those of the same name stand by their ids. */
export function cursorByName(list: string) {
  // Who takes a cursor apart may put into it what PostgreSQL does not read.
  return cursorOf(list, z.object({ name: z.string().regex(/^[^\0]*$/), id: z.guid() }));
}

/** The place of a row in a list by time, in milliseconds, where those of the same time stand by their ids. */
export function cursorByTime(list: string) {
  return cursorOf(list, z.tuple([z.int().min(EARLIEST_MS).max(LATEST_MS), z.guid()]));
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    // Not one of ours; the schema refuses it.
    return null;
  }
}
