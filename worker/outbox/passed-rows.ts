import type { ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import { NOTHING_PASSED, type PassedRowIds } from '../../db/outbox/claim-first-attempts.ts';

const LOOK_AT_ALL_EVERY_MS = 1000;
/** Rows are committed in another order than their ids were drawn in, but seldom so much later: marks trail so long, or twice. */
const TRAIL_MS = 250;
const MOST_ENDPOINTS = 256;

/** Up to which row all have been claimed. */
interface Marks {
  ofEndpoints: Map<string, bigint>;
  /** Of all endpoints but those that have rows left; null when that may be any. */
  ofAll: bigint | null;
}

/**
 * Which rows have all been claimed. A claim passes over those: thousands may wait for the record of their burst, in
 * hundreds of endpoints, and a transaction that stays open keeps deleted ones. A row may come later than one with a higher
 * id, or be put back; so the marks trail, and once a second a claim looks at all.
 */
export class PassedRows {
  #marks: Marks = { ofEndpoints: new Map(), ofAll: null };
  /** As they were when the trailing ones were taken from here. */
  #recent = copyOf(this.#marks);
  #trailing = this.#recent;
  #endpointsLeft: string[] = [];
  #trailsSinceMs = -Infinity;
  #lookedAtAllMs = -Infinity;

  /** What the next claim may pass over. */
  next(nowMs: number): PassedRowIds {
    const looksAtAll = nowMs - this.#lookedAtAllMs >= LOOK_AT_ALL_EVERY_MS;
    if (looksAtAll) {
      this.#lookedAtAllMs = nowMs;
      // Set anew by what is claimed, so that it is never much older than the youngest row.
      this.#marks.ofAll = null;
    }
    const passed = looksAtAll ? NOTHING_PASSED : this.#passed();
    if (nowMs - this.#trailsSinceMs >= TRAIL_MS) {
      // After a claim by the older marks, which has found what came meanwhile.
      this.#trailing = this.#recent;
      this.#recent = copyOf(this.#marks);
      this.#trailsSinceMs = nowMs;
    }
    return passed;
  }

  /**
   * @param rows of one claim, which takes the oldest rows of each endpoint; in the order of their ids
   * @param endpointsLeft whose rows it may have left; null when it may be any
   */
  claimed(rows: readonly ClaimedDelivery[], endpointsLeft: string[] | null): void {
    const last = rows.at(-1);
    this.#endpointsLeft = endpointsLeft ?? [];
    if (endpointsLeft === null) this.#marks.ofAll = null;
    else if (last) this.#marks.ofAll = BigInt(last.outboxId);
    const marks = this.#marks.ofEndpoints;
    for (const { outboxId, delivery } of rows) {
      if (!delivery) continue;
      marks.delete(delivery.endpointId);
      marks.set(delivery.endpointId, BigInt(outboxId));
    }
    for (const [endpointId] of marks) {
      if (marks.size <= MOST_ENDPOINTS) return;
      marks.delete(endpointId);
    }
  }

  #passed(): PassedRowIds {
    const [marks, trailing] = [this.#marks, this.#trailing];
    const ofEndpoints = [...trailing.ofEndpoints];
    return {
      endpointIds: ofEndpoints.map(([endpointId]) => endpointId),
      upTo: ofEndpoints.map(([id, mark]) => String(lower(marks.ofEndpoints.get(id) ?? 0n, mark))),
      ofAllUpTo:
        marks.ofAll === null || trailing.ofAll === null ? null : String(lower(marks.ofAll, trailing.ofAll)),
      alsoOf: this.#endpointsLeft,
    };
  }
}

function copyOf({ ofEndpoints, ofAll }: Marks): Marks {
  return { ofEndpoints: new Map(ofEndpoints), ofAll };
}

function lower(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
