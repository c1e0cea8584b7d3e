/** The maximum number of batches per round; the rest waits for the next round. */
const MAX_BATCHES = 20;

/** Repeats `purge` until a batch is not full. @param purge handles up to `size` rows, and returns how many it handled */
export async function inBatches(size: number, purge: (size: number) => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await purge(size)) < size) return;
  }
}
