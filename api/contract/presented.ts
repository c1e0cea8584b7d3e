import type { CursorKind } from '../../domain/lists/cursor.schema.ts';
import { MAX_PAGE_BYTES } from '../../domain/lists/largest-page.ts';

type Cursor<Item> = Pick<CursorKind<Item>, 'encode'>;

/** Presents one page of a list. @param items one more than `limit` if there is another page */
export function presentPage<Item>(items: readonly Item[], limit: number, cursor: Cursor<NoInfer<Item>>) {
  return presentShown(items.slice(0, limit), items.length > limit, cursor);
}

/** Presents one page of a list whose `hasMore` is known. */
export function presentShown<Item>(items: Item[], hasMore: boolean, cursor: Cursor<NoInfer<Item>>) {
  const last = items.at(-1);
  return { items, nextCursor: hasMore && last !== undefined ? cursor.encode(last) : null, hasMore };
}

interface Named {
  id: string;
  name: string;
}

/**
 * Presents one page of a list ordered by name, at most 4 MiB (docs/limits.md#answers).
 * @param items one more than `limit` if there is another page
 */
export function presentListByName<Item extends Named>(
  items: readonly Item[],
  limit: number,
  cursor: Cursor<Named>,
) {
  let bytes = 0;
  const fits = (item: Item, nr: number) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return nr === 0 || bytes <= MAX_PAGE_BYTES;
  };
  const shown = items.slice(0, limit).filter(fits);
  return presentShown(shown, shown.length < items.length, cursor);
}
