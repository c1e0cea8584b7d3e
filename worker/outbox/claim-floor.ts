import { MAX_LEFT, type FirstAttemptsClaim } from '../../db/outbox/claim-first-attempts.ts';
import type { OnlyNew } from '../../db/outbox/waiting-endpoints.ts';

const LOOK_AT_ALL_EVERY_MS = 1000;
/** Rows are committed in another order than their ids were drawn in, but seldom so much later. */
const TRAIL_MS = 250;

/**
 * The outbox id up to which all rows have been claimed, except those of a few endpoints. A claim need not look below it, where hundreds of
 * endpoints may have rows under way, and a transaction that stays open (a backup) keeps the deleted ones. A row may appear below it
 * later; so it trails behind the claims, and once a second a claim looks at all rows.
 */
export class ClaimFloor {
  /** A bigint as text; null: unknown. */
  #claimed: string | null = null;
  /** What `#claimed` was one and two rounds of `TRAIL_MS` ago. */
  #trailing: [string | null, string | null] = [null, null];
  #trailsSinceMs = -Infinity;
  #lookedAtAllMs = -Infinity;
  #left: FirstAttemptsClaim['left'] = [];

  /** What the next claim may confine itself to; null: it looks at all rows. */
  next(nowMs: number): OnlyNew | null {
    const beyond = this.#trailing[1];
    if (nowMs - this.#trailsSinceMs >= TRAIL_MS) {
      // For the claims after this one, which has found what came meanwhile.
      this.#trailing = [this.#claimed, this.#trailing[0]];
      this.#trailsSinceMs = nowMs;
    }
    if (nowMs - this.#lookedAtAllMs < LOOK_AT_ALL_EVERY_MS && beyond !== null) {
      return { beyond, alsoOf: this.#left.map(({ endpointId }) => endpointId) };
    }
    this.#lookedAtAllMs = nowMs;
    return null;
  }

  claimed({ rows, left }: FirstAttemptsClaim): void {
    this.#left = left;
    const last = rows.at(-1)?.outboxId;
    if (last && (this.#claimed === null || BigInt(last) > BigInt(this.#claimed))) this.#claimed = last;
    // It may have left rows of other endpoints too.
    if (left.length < MAX_LEFT) return;
    this.#claimed = null;
    this.#trailing = [null, null];
  }
}
