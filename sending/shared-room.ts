import type { FreeShares } from '../db/outbox/claim-first-attempts.ts';

/** Attempts: those under way, and rows that are claimed and not recorded. */
export interface Counts {
  underWay: number;
  held: number;
}

/** What the endpoints of each clinic, or at each host, have room for together. */
export class SharedRoom {
  readonly #most: Counts;
  readonly #counts = new Map<string, Counts>();

  constructor(most: Counts) {
    this.#most = most;
  }

  hasRoom(id: string): boolean {
    return this.#countsOf(id).underWay < this.#most.underWay;
  }

  count(id: string, counts: Counts, sign: 1 | -1): void {
    const { underWay, held } = this.#countsOf(id);
    const sum = { underWay: underWay + sign * counts.underWay, held: held + sign * counts.held };
    if (sum.underWay === 0 && sum.held === 0) this.#counts.delete(id);
    else this.#counts.set(id, sum);
  }

  claimable(): FreeShares {
    const entries = [...this.#counts];
    return {
      ids: entries.map(([id]) => id),
      free: entries.map(([, { held }]) => Math.max(this.#most.held - held, 0)),
      unlisted: this.#most.held,
    };
  }

  #countsOf(id: string): Counts {
    return this.#counts.get(id) ?? { underWay: 0, held: 0 };
  }
}
