import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Logger } from '../adapters/logs/logger.ts';
import { momentNow, msSince } from '../adapters/timing/moment.ts';
import { growingPause, pause, WHILE_AWAY } from '../adapters/timing/pause.ts';
import { isPassingFailure } from '../db/connection/database-errors.ts';
import {
  fromTravelling,
  toTravelling,
  type TravellingOutcome,
  type Unrecorded,
} from '../sending/made-attempt.ts';

/** Far below the heartbeat timeout, over all of an attempt: its reading, its POST and its record. */
const HEARTBEAT_EVERY_MS = 2000;

/** An activity of which Temporal knows that it is alive. */
export interface Beating {
  /** Travels along. */
  made: Unrecorded | null;
  /** False once no beat came for so long that Temporal may have given the attempt to another worker. */
  isOurs: () => boolean;
}

/**
 * Tells Temporal that the activity is alive for as long as `work` takes. Once an attempt was made its outcome travels along,
 * so that another worker can record it when this one is stopped or dies.
 */
export async function beatWhile<T>(work: (beating: Beating) => Promise<T>): Promise<T> {
  const context = Context.current();
  const { heartbeatTimeoutMs = Infinity } = context.info;
  let [lastBeat, wasLate] = [momentNow(), false];
  const isLate = () => wasLate || msSince(lastBeat) >= heartbeatTimeoutMs;
  const beating: Beating = { made: null, isOurs: () => !isLate() };
  const beat = () => {
    [wasLate, lastBeat] = [isLate(), momentNow()];
    context.heartbeat(beating.made && toTravelling(beating.made));
  };
  const interval = setInterval(beat, HEARTBEAT_EVERY_MS);
  try {
    return await work(beating);
  } finally {
    clearInterval(interval);
  }
}

/** The outcome of this very attempt that an earlier run of the activity could not record; null when there is none. */
export function outcomeOfEarlierRun(number: number): Unrecorded | null {
  const details: TravellingOutcome | null | undefined = Context.current().info.heartbeatDetails;
  return details?.number === number ? fromTravelling(details) : null;
}

/**
 * Repeats `write` while the database is away, because an answer that was received must not be asked for again. Any other
 * error fails this run of the activity; the next one finds the outcome in the heartbeat.
 */
export async function untilRecorded<T>(made: Unrecorded, logger: Logger, write: () => Promise<T>) {
  const context = Context.current();
  for (let failures = 0; ; failures += 1) {
    try {
      return await write();
    } catch (error) {
      logger.warn({ err: error, attempt: made.number }, 'delivery.attempt_unrecorded');
      context.heartbeat(toTravelling(made));
      if (!isPassingFailure(error)) throw error;
    }
    const [restMs, signal] = [growingPause(failures, WHILE_AWAY), context.cancellationSignal];
    // A worker that stops ends the pause early; a cancelled workflow does not stop the writing.
    await (signal.aborted ? delay(restMs) : pause(restMs, signal));
    if (context.cancellationDetails?.workerShutdown)
      throw ApplicationFailure.retryable(
        'The worker stops; another one records the attempt',
        'WorkerStopped',
      );
  }
}
