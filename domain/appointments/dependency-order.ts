/**
 * Sorts items so that each comes after the items that it needs, and otherwise keeps their order. Items that need each
 * other form one group: Tarjan's strongly connected components, which the algorithm finds in this order.
 */
export function inDependencyOrder<Item>(
  items: readonly Item[],
  needs: (one: Item, other: Item) => boolean,
): Item[][] {
  const groups: Item[][] = [];
  const numbers = new Map<Item, number>();
  const open: Item[] = [];
  /** The lowest number of an open item that can be reached. */
  function reach(item: Item): number {
    const number = numbers.size;
    numbers.set(item, number);
    const place = open.push(item) - 1;
    const needed = items.filter((other) => other !== item && needs(item, other));
    const lowest = needed.reduce((least, other) => {
      if (!numbers.has(other)) return Math.min(least, reach(other));
      return open.includes(other) ? Math.min(least, numbers.get(other) ?? least) : least;
    }, number);
    if (lowest === number) groups.push(open.splice(place));
    return lowest;
  }
  for (const item of items) if (!numbers.has(item)) reach(item);
  return groups;
}
