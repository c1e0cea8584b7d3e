import { uuidv7 } from 'uuidv7';
import { burstWorkflowId } from '../../domain/temporal-names.ts';

export const MAX_BURST = 256;
/** How long a burst that is not full waits for more deliveries of its clinic. */
const GATHER_MS = 1000;

interface OpenBurst {
  workflowId: string;
  clinicId: string;
  sinceMs: number;
  /** The number of deliveries whose record contains this burst's ID or will contain it. */
  planned: number;
  /** Of these, the deliveries whose record was written or failed. */
  settled: number;
}

/** The bursts that this worker will start, by clinic. Times come from a monotonic clock. */
export class BurstQueue {
  /** The bursts by workflow ID, oldest first. */
  readonly #bursts = new Map<string, OpenBurst>();
  /** For each clinic, the burst to which its next delivery is added. */
  readonly #open = new Map<string, OpenBurst>();

  /** The workflow id that the record of the clinic's next delivery must contain. */
  plan(clinicId: string, nowMs: number): string {
    const burst = this.#open.get(clinicId) ?? this.#create(clinicId, nowMs);
    burst.planned += 1;
    if (burst.planned === MAX_BURST) this.#open.delete(clinicId);
    return burst.workflowId;
  }

  /** Call when the record of a planned delivery was written or failed. */
  settle(workflowId: string): void {
    const burst = this.#bursts.get(workflowId);
    if (burst) burst.settled += 1;
  }

  /** The workflow id of the burst to start next: a full one, or else the oldest; null when none is ready. */
  take(nowMs: number): string | null {
    const due = [...this.#bursts.values()].filter(
      ({ planned, sinceMs }) => planned === MAX_BURST || nowMs - sinceMs >= GATHER_MS,
    );
    for (const { clinicId, workflowId } of due) {
      if (this.#open.get(clinicId)?.workflowId === workflowId) this.#open.delete(clinicId);
    }
    const ready = due.filter(({ planned, settled }) => planned === settled);
    const next = ready.find(({ planned }) => planned === MAX_BURST) ?? ready[0];
    if (next) this.#bursts.delete(next.workflowId);
    return next?.workflowId ?? null;
  }

  /** Forgets a burst: another worker will start it, or this one from its rows. */
  forget(workflowId: string): void {
    const burst = this.#bursts.get(workflowId);
    if (!burst) return;
    this.#bursts.delete(workflowId);
    if (this.#open.get(burst.clinicId) === burst) this.#open.delete(burst.clinicId);
  }

  /** Takes all workflow IDs, ready or not. */
  takeAll(): string[] {
    const all = [...this.#bursts.keys()];
    this.#bursts.clear();
    this.#open.clear();
    return all;
  }

  #create(clinicId: string, nowMs: number): OpenBurst {
    const workflowId = burstWorkflowId(uuidv7());
    const burst = { workflowId, clinicId, sinceMs: nowMs, planned: 0, settled: 0 };
    this.#bursts.set(workflowId, burst);
    this.#open.set(clinicId, burst);
    return burst;
  }
}
