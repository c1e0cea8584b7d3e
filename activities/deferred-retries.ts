import { setTimeout as delay } from 'node:timers/promises';
import { findDueRetries, type DueRetry } from '../db/webhooks/deliveries/hasten-deliveries.ts';
import type { AttemptShares, AttemptTarget, EndAttempt } from '../sending/attempt-shares.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';

/** So long is room kept for a retry that was told of it. */
const KEPT_MS = 5000;
/** A retry that was told or has begun is not told again meanwhile: by then the rows say what became of it. */
const PASSED_MS = 300_000;
/** Room that came free elsewhere, at the clinic or the host, is noticed so soon. */
const LOOK_EVERY_MS = 1000;
const MAX_TOLD_AT_ONCE = 16;
/** So long, for each one before it, a retry waits to be told before it asks again by itself. */
const ATTEMPT_MS = 10_000;
const ASK_AGAIN = { leastMs: 30_000, mostMs: 3_600_000 };
const TRY_AGAIN_AFTER_MS = 1000;

interface DeferredRetriesOptions extends Pick<ActivityDependencies, 'database' | 'logger'> {
  shares: AttemptShares;
  /** Whether a workflow heard that there is room for its attempt. */
  signalRoom: (workflowId: string) => Promise<boolean>;
}

/** The retries of one endpoint. */
interface Line {
  target: AttemptTarget;
  /** About how many were put off and not told since. */
  putOff: number;
  isBeingTold: boolean;
  /** Room was kept in vain: first attempts have their turn. */
  givesWay: boolean;
  /** Until when deliveries are not told, by `performance.now()`. */
  passed: Map<string, number>;
  /** Room kept for those that were told, by delivery, the one told first first. */
  kept: Map<string, KeptRoom>;
}

interface KeptRoom {
  end: EndAttempt;
  /** Ends the keeping. */
  timer: NodeJS.Timeout;
}

/**
 * Retries that find no room for their attempt. Who waits stands in the rows, so no one waits here who has gone on elsewhere
 * or is skipped; this remembers at which endpoints someone does. When room comes free there, it tells the next ones.
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
   * Begins the attempt of a retry that is due, or puts it off: then it is told when there is room, and is to ask again after
   * `askAgainMs` should this process die. @param wasPutOff others may wait at its endpoint, as it did
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

  /** Tells no one any more. */
  stop(): void {
    this.#isStopped = true;
  }

  #putOff(line: Line, deliveryId: string): number {
    line.passed.delete(deliveryId);
    line.putOff += 1;
    const turnMs = (line.putOff * ATTEMPT_MS) / this.#options.shares.sizeOf(line.target);
    return Math.ceil(Math.min(Math.max(turnMs, ASK_AGAIN.leastMs), ASK_AGAIN.mostMs));
  }

  /** The room that an attempt has left goes to a retry first: it has waited longer than any first attempt. */
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
    // Some may have been put off meanwhile.
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
 * Told, but too late for the room that was kept for it: it takes what is kept for another, who is on its way. Else those that
 * come late, as after the end of the worker that had their workflows in memory, would find room kept for others for ever.
 */
function takeIfLate(line: Line, deliveryId: string): EndAttempt | undefined {
  const [next] = line.kept.keys();
  return next !== undefined && line.passed.has(deliveryId) ? takeKept(line, next) : undefined;
}
