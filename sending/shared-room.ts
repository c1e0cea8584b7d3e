import type { FreeShares } from '../db/outbox/claim-first-attempts.ts';

/** How many attempts the endpoints of each clinic, or at each host, may have under way together. */
export class SharedRoom {
  readonly #most: number;
  readonly #underWay = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  hasRoom(id: string): boolean {
    return this.#of(id) < this.#most;
  }

  /** @param change negative when attempts have ended */
  count(id: string, change: number): void {
    const sum = this.#of(id) + change;
    if (sum === 0) this.#underWay.delete(id);
    else this.#underWay.set(id, sum);
  }

  claimable(): FreeShares {
    const entries = [...this.#underWay];
    return {
      ids: entries.map(([id]) => id),
      free: entries.map(([, underWay]) => Math.max(this.#most - underWay, 0)),
      unlisted: this.#most,
    };
  }

  #of(id: string): number {
    return this.#underWay.get(id) ?? 0;
  }
}
