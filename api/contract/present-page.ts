import type { CursorKind } from '../../domain/cursor.schema.ts';
import { LARGEST_PAGE_BYTES } from '../../domain/largest-page.ts';

/**
 * One page of a list. @param items one more than `limit` when there is another page
 * @param cursor the cursor of an item
 */
export function presentPage<T>(items: readonly T[], limit: number, cursor: (item: T) => string) {
  return presentShown(items.slice(0, limit), items.length > limit, cursor);
}

/** The same of a list by id. */
export function presentPageById<T extends { id: string }>(
  items: readonly T[],
  limit: number,
  cursor: CursorKind<string>,
) {
  return presentPage(items, limit, ({ id }) => cursor.encode(id));
}

/** One page of a list that is known to go on, or not. */
export function presentShown<T>(items: T[], hasMore: boolean, cursor: (item: T) => string) {
  const last = items.at(-1);
  return { items, nextCursor: hasMore && last !== undefined ? cursor(last) : null, hasMore };
}

interface Named {
  id: string;
  name: string;
}

/**
 * One page of a list by name, which ends at 4 MiB (docs/limits.md#answers).
 * @param items one more than `limit` when there is another page
 */
export function presentListByName<T extends Named>(
  items: readonly T[],
  limit: number,
  cursor: CursorKind<Named>,
) {
  let bytes = 0;
  const fits = (item: T, nr: number) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return nr === 0 || bytes <= LARGEST_PAGE_BYTES;
  };
  const shown = items.slice(0, limit).filter(fits);
  return presentShown(shown, shown.length < items.length, ({ name, id }) => cursor.encode({ name, id }));
}
