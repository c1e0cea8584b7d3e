/** Limits how much each name, such as an address or a clinic, does at once. */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a place and returns what gives it back, to be called once; null when the name has all its places taken. */
  enter(name: string): (() => void) | null {
    const taken = this.#counts.get(name) ?? 0;
    if (taken >= this.#most) return null;
    this.#counts.set(name, taken + 1);
    return () => this.#leave(name);
  }

  #leave(name: string): void {
    const left = (this.#counts.get(name) ?? 0) - 1;
    if (left > 0) this.#counts.set(name, left);
    else this.#counts.delete(name);
  }
}
