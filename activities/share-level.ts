import type { FreeShares } from '../db/outbox/claim-first-attempts.ts';
import { shareAfter, type AnswerPace, type ShareBounds } from '../domain/webhooks/attempt-share.ts';

/** Claimed at once, in shares: one under way, one that waits for it in this process, and two that are being recorded. */
const CLAIMED_SHARES = 4;
/** Receivers that answer as any other are forgotten at once; of the others so many are remembered. */
const MOST_REMEMBERED = 10_000;

interface Share {
  size: number;
  underWay: number;
  /** Claimed and not recorded. */
  held: number;
}

/** The shares of all endpoints, of all clinics or of all hosts. */
export class ShareLevel {
  readonly #bounds: ShareBounds;
  readonly #shares = new Map<string, Share>();

  constructor(bounds: ShareBounds) {
    this.#bounds = bounds;
  }

  hasRoom(id: string): boolean {
    const { underWay, size } = this.#share(id);
    return underWay < size;
  }

  begin(id: string): void {
    const share = this.#share(id);
    this.#keep(id, { ...share, underWay: share.underWay + 1 });
  }

  end(id: string, pace: AnswerPace | null): void {
    const { size, underWay, held } = this.#share(id);
    const next = pace ? shareAfter(size, pace, this.#bounds) : size;
    this.#keep(id, { size: next, underWay: underWay - 1, held });
  }

  hold(id: string, difference: 1 | -1): void {
    const share = this.#share(id);
    this.#keep(id, { ...share, held: share.held + difference });
  }

  /** How many more rows are claimed than the share is worth now. */
  surplus(id: string): number {
    const { held, size } = this.#share(id);
    return Math.max(held - CLAIMED_SHARES * size, 0);
  }

  claimable(): FreeShares {
    const entries = [...this.#shares];
    return {
      ids: entries.map(([id]) => id),
      free: entries.map(([, { size, held }]) => Math.max(CLAIMED_SHARES * size - held, 0)),
      unlisted: CLAIMED_SHARES * this.#bounds.start,
    };
  }

  #share(id: string): Share {
    return this.#shares.get(id) ?? { size: this.#bounds.start, underWay: 0, held: 0 };
  }

  #keep(id: string, share: Share): void {
    const isIdle = share.underWay === 0 && share.held === 0;
    const isUnremarkable = share.size === this.#bounds.start || this.#shares.size > MOST_REMEMBERED;
    if (isIdle && isUnremarkable) this.#shares.delete(id);
    else this.#shares.set(id, share);
  }
}
