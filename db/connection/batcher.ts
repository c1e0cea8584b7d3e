import { codeOf } from './database-errors.ts';
import { createWaitQueue, type Waiting } from './wait-queue.ts';

/** A second statement begins beside the first for at least so many; fewer wait for the first to end. */
const SECOND_FROM = 8;

/** More would make the first of them wait for the work of the last. */
const MAX_TOGETHER = 32;

/** A statement that runs for longer waits for someone's lock; the next one does not wait for it … */
const PATIENCE_MS = 20;

/** … but a database that is slow gets no more than so many. */
const MAX_STATEMENTS = 3;

/** SQLSTATE classes of a statement that PostgreSQL has undone for the sake of what was in it. */
const UNDONE = /^(22|23|40|55)...$/;

interface Item<In, Out> extends Waiting {
  item: In;
  resolve: (out: Out) => void;
}

export interface Batcher<In, Out> {
  (item: In): Promise<Out>;
  /** How many items wait for their statement to begin. */
  waiting: () => number;
}

/**
 * Batches what requests ask for at the same time, so that one statement answers many: its round trip and its commit cost
 * more than a row. A lone item goes at once, and what comes meanwhile goes together. No one pays for another's item: when
 * PostgreSQL undoes a statement, its items are asked for one by one. An item that waits too long for its statement, or
 * finds too many before it, is rejected with `DatabaseBusy`.
 * @param together answers every item in its place; nothing is done when it fails
 * @param alone answers an item whose batch was undone, with a statement of its own by default
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
    // Once all requests that have arrived by now have been read.
    if (!isDue) setImmediate(begin);
    isDue = true;
    return promise;
  };
  return Object.assign(ask, { waiting: () => line.length });
}

/** Returns the items that PostgreSQL has undone. */
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
