import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Logger } from '../adapters/logger.ts';
import type { AttemptOutcome } from '../adapters/webhook/webhook-client.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;
/** Often enough for the heartbeat timeout; a healthy database answers long before the first one. */
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
 * Repeats `write` until it succeeds, because an answer that was received must not be asked for again. Meanwhile the
 * outcome travels in heartbeats, so that another worker can record it when this one is stopped or dies.
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

/** A worker that stops ends the pause early; a cancelled workflow does not stop the writing. */
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
