import { setTimeout as delay } from 'node:timers/promises';

/** Writes items in batches: at most one write runs at a time, and the next takes everything that arrived meanwhile. */
export abstract class BatchWriter<Item> {
  protected abstract readonly largestBatch: number;
  /** Delay before failed items are retried. */
  protected abstract readonly retryAfterMs: number;
  #items: Item[] = [];
  #writing: Promise<void> | null = null;
  #isLast = false;

  protected get isLast(): boolean {
    return this.#isLast;
  }

  /** Writes the queued items. Items that cannot be written now are dropped. */
  async settled(): Promise<void> {
    this.#isLast = true;
    await this.#writing;
  }

  /** Returns the items to retry. @param isLast items returned now are dropped */
  protected abstract write(items: readonly Item[], isLast: boolean): Promise<readonly Item[]>;

  protected add(item: Item): void {
    this.#items.push(item);
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    // Items that arrive in the same tick are written together.
    await Promise.resolve();
    while (this.#items.length > 0) {
      const items = this.#items.slice(0, this.largestBatch);
      this.#items = this.#items.slice(items.length);
      const isLast = this.#isLast;
      const left = await this.write(items, isLast);
      if (left.length === 0 || isLast) continue;
      this.#items.push(...left);
      await delay(this.retryAfterMs);
    }
    this.#writing = null;
  }
}
