import { setTimeout as delay } from 'node:timers/promises';

/** Brings items to one place: at most one call is under way, and the next one takes all that gathered meanwhile. */
export abstract class Gathered<Item, Options> {
  protected readonly options: Options;
  protected abstract readonly atOnce: number;
  /** Before what was left is taken once more. */
  protected abstract readonly restMs: number;
  #items: Item[] = [];
  #taking: Promise<void> | null = null;
  #isLast = false;

  constructor(options: Options) {
    this.options = options;
  }

  protected get isLast(): boolean {
    return this.#isLast;
  }

  /** Takes once more what is there; what is left then is given up. */
  async settled(): Promise<void> {
    this.#isLast = true;
    await this.#taking;
  }

  /** Returns what has to be taken once more. @param isLast what is returned then is given up */
  protected abstract take(items: readonly Item[], isLast: boolean): Promise<readonly Item[]>;

  protected add(item: Item): void {
    this.#items.push(item);
    this.#taking ??= this.#takeAll();
  }

  async #takeAll(): Promise<void> {
    // What comes within one turn is taken together.
    await Promise.resolve();
    while (this.#items.length > 0) {
      const items = this.#items.slice(0, this.atOnce);
      this.#items = this.#items.slice(items.length);
      const isLast = this.#isLast;
      const left = await this.take(items, isLast);
      if (left.length === 0 || isLast) continue;
      this.#items.push(...left);
      await delay(this.restMs);
    }
    this.#taking = null;
  }
}
