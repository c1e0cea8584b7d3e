type Closeable = AsyncDisposable | { close(): unknown };

let opened = new AsyncDisposableStack();

/** For a suite's own use, outside its tests: closed after the last test, what was opened last first. */
export async function forSuite<T extends Closeable>(opening: T | Promise<T>): Promise<T> {
  const each = await opening;
  opened.defer(async () => void (await ('close' in each ? each.close() : each[Symbol.asyncDispose]())));
  return each;
}

/** Called by the runner, at the end of each suite and when one does not load. */
export async function closeAllOfSuite(): Promise<void> {
  const closing = opened;
  opened = new AsyncDisposableStack();
  await closing.disposeAsync();
}
