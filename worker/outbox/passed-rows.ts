import type { ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import type { PassedRowIds } from '../../db/outbox/claim-first-attempts.ts';

const LOOK_AT_ALL_EVERY_MS = 1000;
/** Rows are committed in another order than their ids were drawn in, but seldom so much later: marks trail so long, or twice. */
const TRAIL_MS = 250;
const MOST_ENDPOINTS = 256;

type Marks = Map<string, bigint>;

/**
 * Up to which row of an endpoint all have been claimed. A claim passes over those: thousands may wait for the record of
 * their burst, and a transaction that stays open keeps deleted ones. A row may come later than one with a higher id, or be
 * put back; so the marks trail, and once a second a claim looks at all.
 */
export class PassedRows {
  #marks: Marks = new Map();
  /** As they were when the trailing ones were taken from here. */
  #recent: Marks = new Map();
  #trailing: Marks = new Map();
  #trailsSinceMs = -Infinity;
  #lookedAtAllMs = -Infinity;

  /** What the next claim may pass over. */
  next(nowMs: number): PassedRowIds {
    if (nowMs - this.#trailsSinceMs >= TRAIL_MS) {
      this.#trailing = this.#recent;
      this.#recent = new Map(this.#marks);
      this.#trailsSinceMs = nowMs;
    }
    if (nowMs - this.#lookedAtAllMs >= LOOK_AT_ALL_EVERY_MS) {
      this.#lookedAtAllMs = nowMs;
      return { endpointIds: [], upTo: [] };
    }
    const passed = [...this.#trailing].map(([endpointId, trailing]) => {
      const mark = this.#marks.get(endpointId) ?? 0n;
      return { endpointId, upTo: mark < trailing ? mark : trailing };
    });
    return {
      endpointIds: passed.map(({ endpointId }) => endpointId),
      upTo: passed.map(({ upTo }) => upTo.toString()),
    };
  }

  /** @param rows of one claim, which takes the oldest rows of each endpoint; in the order of their ids */
  claimed(rows: readonly ClaimedDelivery[]): void {
    for (const { outboxId, delivery } of rows) {
      if (!delivery) continue;
      this.#marks.delete(delivery.endpointId);
      this.#marks.set(delivery.endpointId, BigInt(outboxId));
    }
    for (const [endpointId] of this.#marks) {
      if (this.#marks.size <= MOST_ENDPOINTS) return;
      this.#marks.delete(endpointId);
    }
  }
}
