import type { z } from 'zod';
import type { CursorKind } from '../../domain/cursor.schema.ts';
import { LARGEST_PAGE_BYTES } from '../../domain/largest-page.ts';

/** Where an answer has a text a row may have an instant. */
type Presentable<Shown> = {
  [Name in keyof Shown]: Shown[Name] | (string extends Shown[Name] ? Date : never);
};

/** Of a row what the schema names, in its order, with instants as texts: all else of a row stays inside. */
export function presented<S extends z.ZodObject>(schema: S, row: Presentable<z.input<S>>): z.input<S> {
  const values: Record<string, unknown> = row;
  const shown: Record<string, unknown> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = values[name];
    shown[name] = value instanceof Date ? value.toISOString() : value;
  }
  return shown as z.input<S>;
}

/** The same of rows that hold what is shown of them. */
export function presenter<S extends z.ZodObject>(schema: S) {
  return (row: Presentable<z.input<S>>) => presented(schema, row);
}

type Cursor<Item> = Pick<CursorKind<Item>, 'encode'>;

/** One page of a list. @param items one more than `limit` when there is another page */
export function presentPage<Item>(items: readonly Item[], limit: number, cursor: Cursor<NoInfer<Item>>) {
  return presentShown(items.slice(0, limit), items.length > limit, cursor);
}

/** One page of a list that is known to go on, or not. */
export function presentShown<Item>(items: Item[], hasMore: boolean, cursor: Cursor<NoInfer<Item>>) {
  const last = items.at(-1);
  return { items, nextCursor: hasMore && last !== undefined ? cursor.encode(last) : null, hasMore };
}

interface Named {
  id: string;
  name: string;
}

/**
 * One page of a list by name, which ends at 4 MiB (docs/limits.md#answers).
 * @param items one more than `limit` when there is another page
 */
export function presentListByName<Item extends Named>(
  items: readonly Item[],
  limit: number,
  cursor: Cursor<Named>,
) {
  let bytes = 0;
  const fits = (item: Item, nr: number) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return nr === 0 || bytes <= LARGEST_PAGE_BYTES;
  };
  const shown = items.slice(0, limit).filter(fits);
  return presentShown(shown, shown.length < items.length, cursor);
}
