/**
 * One page of a list. @param items one more than `limit` when there is another page
 * @param cursor the cursor of an item
 */
export function presentPage<T>(items: readonly T[], limit: number, cursor: (item: T) => string) {
  return presentShown(items.slice(0, limit), items.length > limit, cursor);
}

/** One page of a list that is known to go on, or not. */
export function presentShown<T>(items: T[], hasMore: boolean, cursor: (item: T) => string) {
  const last = items.at(-1);
  return { items, nextCursor: hasMore && last !== undefined ? cursor(last) : null, hasMore };
}
