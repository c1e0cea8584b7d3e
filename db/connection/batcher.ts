import { codeOf } from './database-errors.ts';
import { createWaitQueue, type Waiting } from './wait-queue.ts';

/**
 * A second statement starts in parallel only when at least this many items wait; fewer items wait until the first
 * statement ends.
 */
const SECOND_FROM = 8;

/** The most items in a statement. In larger batches, the first item would wait too long for the last. */
const MAX_TOGETHER = 32;

/** A statement that runs longer is probably waiting for a lock; the next one does not wait for it. */
const PATIENCE_MS = 20;

/** The most statements that run in parallel. */
const MAX_STATEMENTS = 3;

/** SQLSTATE classes of statements that PostgreSQL rolled back because of their contents. */
const UNDONE = /^(22|23|40|55)...$/;

interface Item<In, Out> extends Waiting {
  item: In;
  resolve: (out: Out) => void;
}

export interface Batcher<In, Out> {
  (item: In): Promise<Out>;
  /** The number of items that wait for their statement to start. */
  waiting: () => number;
}

/**
 * Combines concurrent requests into one statement, because a round trip and a commit cost more than a row. A single
 * item is sent immediately; items that arrive while a statement runs are sent together. Items do not affect each other:
 * when PostgreSQL rolls back a statement, its items are processed one by one. An item that waits too long, or finds the
 * queue full, is rejected with `DatabaseBusy`.
 * @param together processes a batch and returns a result for every item, in order; if it fails, nothing was changed
 * @param alone processes an item whose batch failed, by default with its own statement
 */
export function createBatcher<In, Out>(
  together: (items: readonly In[]) => Promise<readonly Out[]>,
  alone = async (item: In): Promise<Out> => (await together([item]))[0] as Out,
): Batcher<In, Out> {
  const line = createWaitQueue<Item<In, Out>>();
  const running = new Set<{ isSlow: boolean }>();
  let isDue = false;

  function begin(): void {
    isDue = false;
    while (line.length > 0 && mayBegin()) void run(line.take(MAX_TOGETHER));
  }

  function mayBegin(): boolean {
    const prompt = [...running].filter(({ isSlow }) => !isSlow).length;
    return running.size < MAX_STATEMENTS && (prompt === 0 || (prompt === 1 && line.length >= SECOND_FROM));
  }

  async function run(items: readonly Item<In, Out>[]): Promise<void> {
    const statement = { isSlow: false };
    running.add(statement);
    const impatience = setTimeout(() => {
      statement.isSlow = true;
      begin();
    }, PATIENCE_MS);
    const undone = await settle(together, items);
    clearTimeout(impatience);
    running.delete(statement);
    begin();
    for (const { item, resolve, reject } of undone) alone(item).then(resolve, reject);
  }

  const ask = (item: In): Promise<Out> => {
    const { promise, resolve, reject } = Promise.withResolvers<Out>();
    line.join({ item, resolve, reject });
    // After all requests that have arrived by now were read.
    if (!isDue) setImmediate(begin);
    isDue = true;
    return promise;
  };
  return Object.assign(ask, { waiting: () => line.length });
}

/** Returns the items that PostgreSQL rolled back. */
async function settle<In, Out>(
  together: (items: readonly In[]) => Promise<readonly Out[]>,
  items: readonly Item<In, Out>[],
): Promise<readonly Item<In, Out>[]> {
  try {
    const outs = await together(items.map(({ item }) => item));
    for (const [at, { resolve }] of items.entries()) resolve(outs[at] as Out);
  } catch (error) {
    if (UNDONE.test(codeOf(error))) return items;
    for (const { reject } of items) reject(error);
  }
  return [];
}
