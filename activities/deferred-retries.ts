import { setTimeout as delay } from 'node:timers/promises';
import { findDueRetries, type DueRetry } from '../db/webhooks/deliveries/hasten-deliveries.ts';
import type { AttemptShares, AttemptTarget, EndAttempt } from '../sending/attempt-shares.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';

/** How long a free slot stays reserved for a retry that was signalled. */
const KEPT_MS = 5000;
/** A retry that was signalled or has started is not signalled again for this long; by then the rows show its result. */
const PASSED_MS = 300_000;
/** How often to look for capacity that was freed at the clinic or host. */
const LOOK_EVERY_MS = 1000;
const MAX_TOLD_AT_ONCE = 16;
/** A deferred retry asks again after this time for each retry before it. */
const ATTEMPT_MS = 10_000;
/** Also bounds the wait for the end of a pause, because a pause can end early. */
export const ASK_AGAIN = { leastMs: 30_000, mostMs: 3_600_000 };
const TRY_AGAIN_AFTER_MS = 1000;

interface DeferredRetriesOptions extends Pick<ActivityDependencies, 'database' | 'logger'> {
  shares: AttemptShares;
  /** Returns whether the workflow received the signal. */
  signalRoom: (workflowId: string) => Promise<boolean>;
}

/** The deferred retries of one endpoint. */
interface Line {
  target: AttemptTarget;
  /** Roughly how many retries were deferred and not signalled since then. */
  putOff: number;
  isBeingTold: boolean;
  /** Whether the last reservation expired unused, so that first attempts come next. */
  givesWay: boolean;
  /** Until when each delivery is not signalled again; times of `performance.now()`. */
  passed: Map<string, number>;
  /** Slots reserved for signalled retries, by delivery, earliest first. */
  kept: Map<string, KeptRoom>;
}

interface KeptRoom {
  end: EndAttempt;
  /** Releases the reservation. */
  timer: NodeJS.Timeout;
}

/**
 * Manages retries for which no concurrency slot was free. The rows record which retries wait; this object only
 * remembers the endpoints that have waiting retries, and signals the next retries when a slot becomes free.
 */
export class DeferredRetries {
  readonly #options: DeferredRetriesOptions;
  readonly #lines = new Map<string, Line>();
  #isLooking = false;
  #isStopped = false;

  constructor(options: DeferredRetriesOptions) {
    this.#options = options;
    options.shares.onRoom(({ endpointId }) => {
      this.#tellNext(endpointId);
      this.#lookSoon();
    });
  }

  /**
   * Starts the attempt of a due retry, or defers it. A deferred retry is signalled when a slot is free. It asks again
   * after `askAgainMs` in case this process is killed. @param wasPutOff whether the retry was deferred before, so that
   * others may be waiting too
   */
  begin(
    { deliveryId, wasPutOff }: { deliveryId: string; wasPutOff: boolean },
    target: AttemptTarget,
  ): { end: EndAttempt } | { askAgainMs: number } {
    const line = this.#lineOf(target);
    if (wasPutOff) line.putOff = Math.max(line.putOff, 1);
    const end =
      takeKept(line, deliveryId) ?? this.#options.shares.begin(target) ?? takeIfLate(line, deliveryId);
    if (!end) return { askAgainMs: this.#putOff(line, deliveryId) };
    line.passed.set(deliveryId, performance.now() + PASSED_MS);
    return { end };
  }

  /** Sends no more signals. */
  stop(): void {
    this.#isStopped = true;
  }

  #putOff(line: Line, deliveryId: string): number {
    line.passed.delete(deliveryId);
    line.putOff += 1;
    const turnMs = (line.putOff * ATTEMPT_MS) / this.#options.shares.sizeOf(line.target);
    return Math.ceil(Math.min(Math.max(turnMs, ASK_AGAIN.leastMs), ASK_AGAIN.mostMs));
  }

  /** Signals the next retry. Retries get a free slot before first attempts, because they have waited longer. */
  #tellNext(endpointId: string): void {
    const line = this.#lines.get(endpointId);
    if (!line || line.putOff === 0 || line.isBeingTold || this.#isStopped) return;
    if (line.givesWay) return void (line.givesWay = false);
    const room = this.#takeRoom(line.target);
    if (room.length > 0) void this.#tell(line, room);
  }

  async #tell(line: Line, room: EndAttempt[]): Promise<void> {
    const { putOff } = line;
    line.isBeingTold = true;
    const due = await this.#findDue(line, room.length);
    line.isBeingTold = false;
    const areAll = due !== null && due.length < room.length;
    // More may have been deferred meanwhile.
    if (areAll) line.putOff -= putOff;
    else line.putOff = Math.max(line.putOff - room.length, 1);
    for (const retry of due ?? []) this.#keep(line, retry, room.pop());
    for (const end of room) end(null);
    this.#tellNext(line.target.endpointId);
  }

  async #findDue({ target, passed }: Line, limit: number): Promise<DueRetry[] | null> {
    const { database, logger } = this.#options;
    try {
      const { endpointId } = target;
      return await findDueRetries(database.em(), { endpointId, except: [...passed.keys()], limit });
    } catch (error) {
      logger.warn({ err: error }, 'delivery.due_retries_not_found');
      await delay(TRY_AGAIN_AFTER_MS, undefined, { ref: false });
      return null;
    }
  }

  #keep(line: Line, { deliveryId, workflowId }: DueRetry, end: EndAttempt | undefined): void {
    if (!end) return;
    line.passed.set(deliveryId, performance.now() + PASSED_MS);
    const giveUp = () => takeKept(line, deliveryId)?.(null);
    const timer = setTimeout(() => {
      line.givesWay = true;
      giveUp();
    }, KEPT_MS);
    timer.unref();
    line.kept.set(deliveryId, { end, timer });
    void this.#options.signalRoom(workflowId).then((isHeard) => isHeard || giveUp());
  }

  #takeRoom(target: AttemptTarget): EndAttempt[] {
    const room: EndAttempt[] = [];
    while (room.length < MAX_TOLD_AT_ONCE) {
      const end = this.#options.shares.begin(target);
      if (!end) break;
      room.push(end);
    }
    return room;
  }

  #lineOf(target: AttemptTarget): Line {
    const line = this.#lines.get(target.endpointId) ?? {
      target,
      putOff: 0,
      isBeingTold: false,
      givesWay: false,
      passed: new Map<string, number>(),
      kept: new Map<string, KeptRoom>(),
    };
    line.target = target;
    this.#lines.set(target.endpointId, line);
    return line;
  }

  #lookSoon(): void {
    if (this.#isLooking || this.#lines.size === 0) return;
    this.#isLooking = true;
    const timer = setTimeout(() => {
      this.#isLooking = false;
      for (const [endpointId, line] of this.#lines) this.#look(endpointId, line);
    }, LOOK_EVERY_MS);
    timer.unref();
  }

  #look(endpointId: string, line: Line): void {
    for (const [deliveryId, until] of line.passed)
      if (until <= performance.now()) line.passed.delete(deliveryId);
    if (line.putOff === 0 && line.passed.size === 0 && !line.isBeingTold) this.#lines.delete(endpointId);
    else this.#tellNext(endpointId);
  }
}

function takeKept({ kept }: Line, deliveryId: string): EndAttempt | undefined {
  const room = kept.get(deliveryId);
  kept.delete(deliveryId);
  clearTimeout(room?.timer);
  return room?.end;
}

/**
 * A signalled retry that missed its reservation takes a slot that is reserved for another retry. Otherwise late retries
 * (for example after a worker with their workflows in memory was killed) would always find the slots reserved for
 * others.
 */
function takeIfLate(line: Line, deliveryId: string): EndAttempt | undefined {
  const [next] = line.kept.keys();
  return next !== undefined && line.passed.has(deliveryId) ? takeKept(line, next) : undefined;
}
