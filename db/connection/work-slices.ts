/** How long a slice lasts, in milliseconds. */
const SLICE_MS = 1;

/** Work on at most this many rows takes less than a slice and runs immediately. */
const FEW = 32;

/**
 * Shares the process's event loop among clinics. Work on many rows, such as a large list, runs in slices, at most one
 * per turn of the event loop, so that other requests run in between. Clinics alternate. The work of one clinic finishes
 * in order of its start, to keep memory low.
 */
export function createWorkSlices(clock: () => number = () => performance.now()) {
  /** The waiting work of each clinic, in order of its start. The next clinic comes first. */
  const waiting = new Map<string, { began: number; resume: () => void }[]>();
  let begun = 0;
  /** The slice of this turn of the event loop, and the work that uses it; null while nothing runs or waits. */
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

  /** Processes items one by one. @param clinic the clinic to which the processing time is counted */
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
