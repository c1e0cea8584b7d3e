interface Lately {
  now: Date;
  /** How long it counts, from the reader's first look. */
  forMs: number;
}

/** Of all readers together: ten megabytes. Then all is forgotten, and written down once more. */
const MOST_REMEMBERED = 100_000;

/** What this process has written down lately, so that it is not written down for each look. */
export function createSeenLately() {
  const readers = new Map<string, { since: number; ids: Set<string> }>();
  let remembered = 0;

  function seenBy(reader: string, { now, forMs }: Lately): Set<string> {
    const known = readers.get(reader);
    if (known && now.getTime() - known.since < forMs) return known.ids;
    remembered -= known?.ids.size ?? 0;
    const ids = new Set<string>();
    readers.set(reader, { since: now.getTime(), ids });
    return ids;
  }

  return {
    /** Those that the reader has not been shown lately; from now on they have. */
    unseen(reader: string, ids: readonly string[], lately: Lately): string[] {
      if (ids.length === 0) return [];
      if (remembered + ids.length > MOST_REMEMBERED) {
        readers.clear();
        remembered = 0;
      }
      const seen = seenBy(reader, lately);
      const fresh = ids.filter((id) => !seen.has(id) && seen.add(id));
      remembered += fresh.length;
      return fresh;
    },
  };
}
