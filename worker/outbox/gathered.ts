import { setTimeout as delay } from 'node:timers/promises';

export interface GatheredOptions<Item> {
  /** Returns what has to be taken once more. @param isLast what is returned then is given up */
  take: (items: readonly Item[], isLast: boolean) => Promise<readonly Item[]>;
  atOnce: number;
  /** Before what was left is taken once more. */
  restMs: number;
}

/** Brings items to one place: at most one call is under way, and the next one takes all that gathered meanwhile. */
export class Gathered<Item> {
  readonly #options: GatheredOptions<Item>;
  #items: Item[] = [];
  #taking: Promise<void> | null = null;
  #isLast = false;

  constructor(options: GatheredOptions<Item>) {
    this.#options = options;
  }

  add(item: Item): void {
    this.#items.push(item);
    this.#taking ??= this.#takeAll();
  }

  /** Takes once more what is there; what is left then is given up. */
  async settled(): Promise<void> {
    this.#isLast = true;
    await this.#taking;
  }

  async #takeAll(): Promise<void> {
    const { take, atOnce, restMs } = this.#options;
    // What comes within one turn is taken together.
    await Promise.resolve();
    while (this.#items.length > 0) {
      const items = this.#items.slice(0, atOnce);
      this.#items = this.#items.slice(items.length);
      const isLast = this.#isLast;
      const left = await take(items, isLast);
      if (left.length === 0 || isLast) continue;
      this.#items.push(...left);
      await delay(restMs);
    }
    this.#taking = null;
  }
}
