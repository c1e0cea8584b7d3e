/**
 * One page of a list. @param items one more than `limit` when there is another page
 * @param place the cursor of an item
 */
export function presentPage<T>(items: readonly T[], limit: number, place: (item: T) => string) {
  return presentShown(items.slice(0, limit), items.length > limit, place);
}

/** One page of a list that is known to go on, or not. */
export function presentShown<T>(items: T[], hasMore: boolean, place: (item: T) => string) {
  const last = items.at(-1);
  return { items, nextCursor: hasMore && last !== undefined ? place(last) : null, hasMore };
}
