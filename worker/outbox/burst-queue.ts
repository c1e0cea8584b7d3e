import { uuidv7 } from 'uuidv7';
import { burstWorkflowId } from '../../domain/temporal-names.ts';
import type { RecordedDelivery } from './recorded-delivery.ts';

export const LARGEST_BURST = 256;
/** A burst that is not full waits so long for more deliveries of its clinic. */
const GATHER_MS = 1000;

/** What one `webhookBurst` records: deliveries of one clinic. */
export interface Burst {
  workflowId: string;
  clinicId: string;
  deliveries: RecordedDelivery[];
}

interface OpenBurst extends Burst {
  sinceMs: number;
  /** Deliveries whose rows name it, or are about to. */
  reserved: number;
}

/**
 * Deliveries that succeeded at their first attempt and share a workflow, clinic by clinic. A delivery reserves its place before it is
 * recorded, so that one statement writes the outcome and the burst's name.
 */
export class BurstQueue {
  /** By workflow id, the oldest first. */
  readonly #bursts = new Map<string, OpenBurst>();
  /** By clinic: the burst that still has places. */
  readonly #open = new Map<string, OpenBurst>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The workflow id that the next delivery of this clinic is to name. @param nowMs by a clock that never goes back */
  reserve(clinicId: string, nowMs: number): string {
    const burst = this.#open.get(clinicId) ?? this.#create(clinicId, nowMs);
    burst.reserved += 1;
    if (burst.reserved === LARGEST_BURST) this.#open.delete(clinicId);
    return burst.workflowId;
  }

  /** A delivery that was recorded. One whose burst was started without it joins another. */
  add(row: RecordedDelivery, workflowId: string, nowMs: number): void {
    const { tenantId } = row.delivery;
    const burst = this.#bursts.get(workflowId) ?? this.#bursts.get(this.reserve(tenantId, nowMs));
    burst?.deliveries.push(row);
    this.#size += 1;
  }

  /** Whether `take` returns a burst. */
  isReady(nowMs: number): boolean {
    return this.#next(nowMs) !== undefined;
  }

  /** The burst to start next: a full one, else the one that has waited longest. */
  take(nowMs: number): Burst | null {
    const burst = this.#next(nowMs);
    if (!burst) return null;
    this.#forget(burst);
    this.#size -= burst.deliveries.length;
    return burst;
  }

  /** All that wait, whether their time has come or not. */
  takeAll(): Burst[] {
    const all = [...this.#bursts.values()].filter(({ deliveries }) => deliveries.length > 0);
    this.#bursts.clear();
    this.#open.clear();
    this.#size = 0;
    return all;
  }

  #next(nowMs: number): OpenBurst | undefined {
    let first: OpenBurst | undefined;
    for (const burst of this.#bursts.values()) {
      if (burst.deliveries.length === LARGEST_BURST) return burst;
      const hasWaited = nowMs - burst.sinceMs >= GATHER_MS;
      if (hasWaited && burst.deliveries.length > 0) first ??= burst;
      // Its places were reserved for deliveries that could not be recorded.
      else if (nowMs - burst.sinceMs >= UNUSED_AFTER_MS && burst.deliveries.length === 0) this.#forget(burst);
    }
    return first;
  }

  #create(clinicId: string, nowMs: number): OpenBurst {
    const workflowId = burstWorkflowId(uuidv7());
    const burst = { workflowId, clinicId, deliveries: [], sinceMs: nowMs, reserved: 0 };
    this.#bursts.set(workflowId, burst);
    this.#open.set(clinicId, burst);
    return burst;
  }

  #forget({ workflowId, clinicId }: Burst): void {
    this.#bursts.delete(workflowId);
    if (this.#open.get(clinicId)?.workflowId === workflowId) this.#open.delete(clinicId);
  }
}

/** Longer than recording takes. */
const UNUSED_AFTER_MS = 60_000;
