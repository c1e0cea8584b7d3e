import { uuidv7 } from 'uuidv7';
import { burstWorkflowId, isBurstWorkflowId } from '../../domain/temporal-names.ts';
import type { RecordedDelivery } from './recorded-delivery.ts';

/** More successes than these within a second share a workflow. */
const WORTH_THEIR_OWN = 5;
export const LARGEST_BURST = 256;
/** As long as a flood lasts, the deliveries go before the records of those that have ended, but no longer than that. */
const RECORDS_WAIT_MS = 10_000;
/** Each endpoint whose deliveries wait for their record is a step of every claim. */
const MOST_ENDPOINTS_IN_FLOOD = 256;

/** What one workflow is to be the record of, or one each when there is no burst. */
export type EndedTogether = ReturnType<EndedDeliveries['take']>;

interface Waiting {
  sinceMs: number;
  deliveries: RecordedDelivery[];
}

/**
 * Deliveries that have ended and wait for the workflow that is their record. A burst is named before it is started, so that
 * a delivery's row can name it together with the outcome instead of being written twice.
 */
export class EndedDeliveries {
  /** By the burst that they name and that was not started, or null; the oldest first. */
  readonly #waiting = new Map<string | null, Waiting>();
  /** Bursts that were named and not started. */
  readonly #named = new Set<string>();
  #last: { burst: string; named: number } | null = null;
  #cameMany = false;
  /** Of those that wait, and of some that waited with them. */
  readonly #endpoints = new Set<string>();
  #size = 0;
  #cameSinceLook = 0;

  get size(): number {
    return this.#size;
  }

  /** The burst that so many more may name, at most 256; null while few come, for then each has its own workflow. */
  burstFor(count: number): string | null {
    if (!this.#cameMany && this.#size + count <= WORTH_THEIR_OWN) return null;
    if (!this.#last || this.#last.named + count > LARGEST_BURST) this.#last = this.#nameAnother();
    this.#last.named += count;
    return this.#last.burst;
  }

  /** @param nowMs by the monotonic clock */
  add(ended: RecordedDelivery, nowMs: number): void {
    const { workflowId } = ended.progress;
    const burst = this.#named.has(workflowId) ? workflowId : null;
    const waiting = this.#waiting.get(burst) ?? { sinceMs: nowMs, deliveries: [] };
    waiting.deliveries.push(ended);
    this.#waiting.set(burst, waiting);
    this.#endpoints.add(ended.delivery.endpointId);
    this.#size += 1;
    this.#cameSinceLook += 1;
  }

  /** Whether their records may wait for another second: more than a burst have come since it was last asked. */
  mayWait(nowMs: number): boolean {
    const isFlood = this.#cameSinceLook > LARGEST_BURST && this.#endpoints.size <= MOST_ENDPOINTS_IN_FLOOD;
    this.#cameSinceLook = 0;
    const [oldest] = this.#waiting.values();
    return isFlood && oldest !== undefined && nowMs - oldest.sinceMs < RECORDS_WAIT_MS;
  }

  /** The oldest ones that name the same burst. Those whose burst was started without them need another. */
  take(): { burst: string | null; ended: RecordedDelivery[] } {
    const [oldest] = this.#waiting;
    if (!oldest) return { burst: null, ended: [] };
    const [burst, { deliveries }] = oldest;
    const ended = deliveries.splice(0, LARGEST_BURST);
    if (deliveries.length === 0) this.#waiting.delete(burst);
    this.#size -= ended.length;
    if (this.#size === 0) this.#endpoints.clear();
    this.#cameMany = ended.length > WORTH_THEIR_OWN;
    if (burst !== null) this.#forget(burst);
    const needsBurst = this.#cameMany || ended.some(({ progress }) => isBurstWorkflowId(progress.workflowId));
    return { burst: burst ?? (needsBurst ? newBurst() : null), ended };
  }

  /** Names that no delivery took, because nothing could be recorded, are given up. */
  #nameAnother(): { burst: string; named: number } {
    for (const burst of this.#named) if (!this.#waiting.has(burst)) this.#forget(burst);
    const burst = newBurst();
    this.#named.add(burst);
    return { burst, named: 0 };
  }

  #forget(burst: string): void {
    this.#named.delete(burst);
    if (this.#last?.burst === burst) this.#last = null;
  }
}

function newBurst(): string {
  return burstWorkflowId(uuidv7());
}
