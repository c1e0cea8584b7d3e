/** A second statement begins beside the first for at least so many; fewer wait for the first to end. */
const SECOND_FROM = 8;

/** More would make the first of them wait for the work of the last. */
const MOST = 16;

/** A statement that runs for longer waits for somebody's lock; it is not waited for. */
const PATIENCE_MS = 20;

/** SQLSTATE classes of a statement that PostgreSQL has undone for the sake of what was in it. */
const UNDONE = /^(22|23|40|55)...$/;

interface Waiting<In, Out> {
  item: In;
  resolve: (out: Out) => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers what requests ask for at the same time, so that one statement answers many: its round trip and its commit cost
 * more than a row. A lone item goes at once, and what comes meanwhile goes together. Nobody pays for another's item: when
 * PostgreSQL undoes a statement, its items are asked for one by one.
 * @param ask answers every item in its place; nothing is done when it fails
 */
export function gather<In, Out>(
  ask: (items: readonly In[]) => Promise<readonly Out[]>,
): (item: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let underWay = 0;
  let isDue = false;

  function begin(): void {
    isDue = false;
    while (waiting.length > 0 && (underWay === 0 || (underWay === 1 && waiting.length >= SECOND_FROM))) {
      void run(waiting.splice(0, MOST));
    }
  }

  async function run(together: readonly Waiting<In, Out>[]): Promise<void> {
    underWay += 1;
    const end = once(() => {
      underWay -= 1;
      begin();
    });
    const impatience = setTimeout(end, PATIENCE_MS);
    await settle(ask, together);
    clearTimeout(impatience);
    end();
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Out>();
    waiting.push({ item, resolve, reject });
    // Once all requests that have arrived by now have been read.
    if (!isDue) setImmediate(begin);
    isDue = true;
    return promise;
  };
}

async function settle<In, Out>(
  ask: (items: readonly In[]) => Promise<readonly Out[]>,
  together: readonly Waiting<In, Out>[],
): Promise<void> {
  try {
    const outs = await ask(together.map(({ item }) => item));
    for (const [at, { resolve }] of together.entries()) resolve(outs[at] as Out);
  } catch (error) {
    const isLone = together.length === 1;
    if (isLone || !isUndone(error)) for (const { reject } of together) reject(error);
    else await Promise.all(together.map((each) => settle(ask, [each])));
  }
}

function isUndone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNDONE.test(String(error.code));
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
