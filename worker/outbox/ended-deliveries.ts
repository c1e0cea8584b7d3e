import { uuidv7 } from 'uuidv7';
import { burstWorkflowId, isBurstWorkflowId } from '../../domain/temporal-names.ts';
import type { RecordedDelivery } from './delivery-workflows.ts';

/** More successes than these within a second share a workflow. */
const WORTH_THEIR_OWN = 5;
export const LARGEST_BURST = 256;

/** What one workflow is to be the record of, or one each when there is no burst. */
export interface EndedTogether {
  burst: string | null;
  ended: RecordedDelivery[];
}

/**
 * Deliveries that have ended and wait for the workflow that is their record. A burst is named before it is started, so that
 * a delivery's row can name it together with the outcome instead of being written twice.
 */
export class EndedDeliveries {
  #waiting: RecordedDelivery[] = [];
  /** Bursts that were named and not started. */
  readonly #named = new Set<string>();
  #last: { burst: string; named: number } | null = null;
  #cameMany = false;

  get size(): number {
    return this.#waiting.length;
  }

  /** The burst that so many more may name, at most 256; null while few come, for then each has its own workflow. */
  burstFor(count: number): string | null {
    if (!this.#cameMany && this.#waiting.length + count <= WORTH_THEIR_OWN) return null;
    if (!this.#last || this.#last.named + count > LARGEST_BURST) this.#last = this.#nameAnother();
    this.#last.named += count;
    return this.#last.burst;
  }

  add(ended: RecordedDelivery): void {
    this.#waiting.push(ended);
  }

  /** The oldest ones that name the same burst. Those whose burst was started without them need another. */
  take(): EndedTogether {
    const burst = this.#burstOf(this.#waiting[0]);
    const together = this.#waiting.filter((each) => this.#burstOf(each) === burst).slice(0, LARGEST_BURST);
    const taken = new Set(together);
    this.#waiting = this.#waiting.filter((each) => !taken.has(each));
    this.#cameMany = together.length > WORTH_THEIR_OWN;
    if (burst) this.#forget(burst);
    const needsBurst =
      this.#cameMany || together.some(({ progress }) => isBurstWorkflowId(progress.workflowId));
    return { burst: burst ?? (needsBurst ? newBurst() : null), ended: together };
  }

  /** Names that no delivery took, because nothing could be recorded, are given up. */
  #nameAnother(): { burst: string; named: number } {
    const taken = new Set(this.#waiting.map(({ progress }) => progress.workflowId));
    for (const burst of this.#named) if (!taken.has(burst)) this.#forget(burst);
    const burst = newBurst();
    this.#named.add(burst);
    return { burst, named: 0 };
  }

  #forget(burst: string): void {
    this.#named.delete(burst);
    if (this.#last?.burst === burst) this.#last = null;
  }

  #burstOf(ended: RecordedDelivery | undefined): string | null {
    const workflowId = ended?.progress.workflowId;
    return workflowId !== undefined && this.#named.has(workflowId) ? workflowId : null;
  }
}

function newBurst(): string {
  return burstWorkflowId(uuidv7());
}
