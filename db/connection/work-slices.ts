/** How long a slice lasts, in milliseconds. */
const SLICE_MS = 1;

/** Work on so few rows takes less than a slice and is done at once: an ordinary page, a batch of bookings. */
const FEW = 32;

/**
 * Shares the event loop of the process among clinics. Work on many rows, such as a large list, is done in slices, at most one in each
 * turn of the event loop however much work waits, so that every other request goes on in between. Clinics take turns. The work of
 * one clinic ends in the order in which it began, so that little of it is held in memory at a time.
 */
export function createWorkSlices(clock: () => number = () => performance.now()) {
  /** For each clinic what waits for its next slice, in the order in which it began. The clinic whose turn is next comes first. */
  const waiting = new Map<string, { began: number; resume: () => void }[]>();
  let begun = 0;
  /** The slice of this turn of the event loop, and which work has it; null while nothing works or waits. */
  let slice: { of: number; endsAt: number } | null = null;

  function open(of: number): void {
    slice = { of, endsAt: clock() + SLICE_MS };
    setImmediate(openNext);
  }

  function openNext(): void {
    slice = null;
    const [turn] = waiting;
    if (!turn) return;
    const [clinic, [first, ...others]] = turn;
    waiting.delete(clinic);
    if (others.length > 0) waiting.set(clinic, others);
    if (!first) return;
    open(first.began);
    first.resume();
  }

  async function mayGoOn(clinic: string, began: number): Promise<void> {
    if (slice === null) return open(began);
    if (slice.of === began && clock() < slice.endsAt) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const line = waiting.get(clinic) ?? [];
    line.splice(line.findLastIndex((other) => other.began < began) + 1, 0, { began, resume: resolve });
    waiting.set(clinic, line);
    return promise;
  }

  /** Does the work of each item, one after the other. @param clinic whose slices it takes */
  return async function inSlices<Item, Out>(
    clinic: string,
    items: Iterable<Item>,
    work: (item: Item) => Out | Promise<Out>,
  ): Promise<Out[]> {
    begun += 1;
    const began = begun;
    const areFew = Array.isArray(items) && items.length <= FEW;
    const outs: Out[] = [];
    for (const item of items) {
      if (!areFew) await mayGoOn(clinic, began);
      outs.push(await work(item));
    }
    return outs;
  };
}

export const inSlices = createWorkSlices();
