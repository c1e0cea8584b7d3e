import { randomUUID } from 'node:crypto';
import type { Answer } from '../played-activities.ts';

/** One way through a workflow, told by what its activities answer and by what happens to it meanwhile. */
export interface Branch {
  type: string;
  /** A function is asked when the workflow is started. */
  input: object | (() => object);
  answers?: Record<string, Answer | Answer[]>;
  /** Heard before the workflow does anything. */
  signals?: [name: string, ...args: unknown[]][];
  /** What happens once it runs; the workflow ends by it or by itself. */
  story?: (run: BranchRun) => Promise<void>;
  /** Its history counts as long after a few events, so that it goes on in a new run. */
  hasLongHistory?: boolean;
  /** Recorded on the server whose clock jumps, because it waits for days. */
  takesDays?: boolean;
}

export interface BranchRun {
  /** Waits until the activity has been asked for so often. */
  asked(activity: string, times?: number): Promise<void>;
  /** Waits until so many timers have been started. */
  waits(timers?: number): Promise<void>;
  signal(name: string, ...args: unknown[]): Promise<void>;
  cancel(): Promise<void>;
  /** Lets days pass, for a branch that `takesDays`. */
  daysPass(days: number): Promise<void>;
  /** Lets the activities answer that take long. */
  endLongAnswers(): void;
}

export const HOUR_MS = 3_600_000;
export const SOON_MS = 500;
export const LONG_AGO = '2020-01-01T00:00:00.000Z';
export const FAR_AHEAD = '2100-01-01T00:00:00.000Z';

export const IDS = {
  clinicId: randomUUID(),
  appointmentId: randomUUID(),
  endpointId: randomUUID(),
  deliveryId: randomUUID(),
  replayId: randomUUID(),
};

export function inMs(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

/** Someone cancels the workflow while it is told something by this activity (`timer`: while it only waits). */
export function cancelledWhile(waitingFor: string) {
  return async (run: BranchRun): Promise<void> => {
    await (waitingFor === 'timer' ? run.waits() : run.asked(waitingFor));
    await run.cancel();
  };
}
