import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Logger } from '../adapters/logger.ts';
import type { AttemptOutcome } from '../adapters/webhook/webhook-client.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;
/** Well below the heartbeat timeout; a healthy database answers before the first one. */
const HEARTBEAT_EVERY_MS = 2000;

interface Unrecorded {
  number: number;
  outcome: AttemptOutcome;
}

/** What a heartbeat carries: no excerpt, which may hold whatever a receiver answers. */
type Heartbeat = { number: number } & Omit<AttemptOutcome, 'startedAt' | 'responseExcerpt'> & {
    startedAt: string;
  };

/**
 * Repeats `write` until it succeeds or the worker stops, because an answer that was received must not be asked for again.
 * From the first failure on, and every two seconds, the outcome travels in a heartbeat, from which another worker records
 * it. A process that is killed before the first one leaves nothing, and the attempt is made once more.
 * @throws ApplicationFailure when the worker stops
 */
export async function untilRecorded<T>(
  { number, outcome, logger }: Unrecorded & { logger: Logger },
  write: () => Promise<T>,
): Promise<T> {
  const context = Context.current();
  const heartbeat = () => context.heartbeat(toHeartbeat({ number, outcome }));
  const beating = setInterval(heartbeat, HEARTBEAT_EVERY_MS);
  try {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await write();
      } catch (error) {
        logger.warn({ err: error, attempt: number }, 'delivery.attempt_unrecorded');
        heartbeat();
      }
      await pause(pauseMs, context.cancellationSignal);
      if (context.cancellationDetails?.workerShutdown) throw leftToAnotherWorker();
    }
  } finally {
    clearInterval(beating);
  }
}

/** The first cancellation ends the pause early, because it may be the worker's stop; that of a workflow changes nothing else. */
async function pause(pauseMs: number, signal: AbortSignal): Promise<void> {
  const options = signal.aborted ? {} : { signal };
  await delay(pauseMs, undefined, options).catch(() => undefined);
}

/** The outcome of this very attempt that an earlier run of the activity could not record; null when there is none. */
export function unrecordedOutcome(number: number): AttemptOutcome | null {
  const details: Heartbeat | undefined = Context.current().info.heartbeatDetails;
  if (details?.number !== number) return null;
  const { outcome, errorClass, responseStatus, durationMs, startedAt } = details;
  return {
    outcome,
    errorClass,
    responseStatus,
    durationMs,
    startedAt: new Date(startedAt),
    responseExcerpt: null,
  };
}

function toHeartbeat({ number, outcome: { responseExcerpt: _excerpt, ...outcome } }: Unrecorded): Heartbeat {
  return { number, ...outcome, startedAt: outcome.startedAt.toISOString() };
}

function leftToAnotherWorker(): ApplicationFailure {
  return ApplicationFailure.retryable('The worker stops; another one records the attempt', 'WorkerStopped');
}
