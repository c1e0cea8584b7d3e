import { setTimeout as delay } from 'node:timers/promises';

/** Writes items in batches: at most one write is under way, and the next one takes all that came meanwhile. */
export abstract class BatchWriter<Item> {
  protected abstract readonly largestBatch: number;
  /** Before what could not be written is tried again. */
  protected abstract readonly retryAfterMs: number;
  #items: Item[] = [];
  #writing: Promise<void> | null = null;
  #isLast = false;

  protected get isLast(): boolean {
    return this.#isLast;
  }

  /** Writes what is there; what cannot be written now is given up. */
  async settled(): Promise<void> {
    this.#isLast = true;
    await this.#writing;
  }

  /** Returns what has to be tried again. @param isLast what is returned then is given up */
  protected abstract write(items: readonly Item[], isLast: boolean): Promise<readonly Item[]>;

  protected add(item: Item): void {
    this.#items.push(item);
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    // What comes within one turn is written together.
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
