import { MAX_LEFT, type FirstAttemptsClaim } from '../../db/outbox/claim-first-attempts.ts';
import type { OnlyNew } from '../../db/outbox/waiting-endpoints.ts';

const LOOK_AT_ALL_EVERY_MS = 1000;
/** Rows are committed in a different order than their ids, but rarely this much later. */
const TRAIL_MS = 250;

/**
 * The outbox id up to which all rows have been claimed, except those of a few endpoints. Claims skip the range below
 * it, where hundreds of endpoints may have rows in flight, and where a long transaction (a backup) keeps deleted rows.
 * A row may still appear below it, so the floor trails behind the claims, and once a second a claim looks at all rows.
 */
export class ClaimFloor {
  /** A bigint as text; null: unknown. */
  #claimed: string | null = null;
  /** The value of `#claimed` one and two rounds of `TRAIL_MS` ago. */
  #trailing: [string | null, string | null] = [null, null];
  #trailsSinceMs = -Infinity;
  #lookedAtAllMs = -Infinity;
  #left: FirstAttemptsClaim['left'] = [];

  /** The rows that the next claim may be limited to; null for all rows. */
  next(nowMs: number): OnlyNew | null {
    const beyond = this.#trailing[1];
    if (nowMs - this.#trailsSinceMs >= TRAIL_MS) {
      // For later claims: this one has found what arrived meanwhile.
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
    // It may have left rows of more endpoints.
    if (left.length < MAX_LEFT) return;
    this.#claimed = null;
    this.#trailing = [null, null];
  }
}
