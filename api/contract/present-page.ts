/**
 * One page of a list. @param items one more than `limit` when there is another page
 * @param place the cursor of an item
 */
export function presentPage<T>(items: readonly T[], limit: number, place: (item: T) => string) {
  const shown = items.slice(0, limit);
  const hasMore = items.length > limit;
  const last = shown.at(-1);
  return { items: shown, nextCursor: hasMore && last !== undefined ? place(last) : null, hasMore };
}
