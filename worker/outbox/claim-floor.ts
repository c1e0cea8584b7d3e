import { MAX_LEFT, type FirstAttemptsClaim } from '../../db/outbox/claim-first-attempts.ts';
import type { OnlyNew } from '../../db/outbox/waiting-endpoints.ts';

const LOOK_AT_ALL_EVERY_MS = 1000;
/** Rows can be committed later than rows with higher IDs, but rarely by more than this. */
const TRAIL_MS = 250;

/**
 * The outbox id up to which all rows have been claimed, except those of a few endpoints. Claims skip the rows below
 * this floor, where hundreds of endpoints may have rows in progress and where a long transaction (such as a backup)
 * prevents deleted rows from being removed. Rows can still appear below the floor, so it follows the claims with a
 * delay, and once per second a claim reads all rows.
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
      // For later claims, because this claim has already found rows that arrived in the meantime.
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
    // With a full list, the claim may have left rows of more endpoints than it lists.
    if (left.length < MAX_LEFT) return;
    this.#claimed = null;
    this.#trailing = [null, null];
  }
}
