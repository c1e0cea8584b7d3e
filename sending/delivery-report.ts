import { outcomeInWords } from '../domain/webhooks/outcome-in-words.ts';
import type { DeliveryProgress } from '../db/webhooks/deliveries/delivery-progress.ts';

export interface DeliveryInQuestion {
  deliveryId: string;
  clinicId: string;
}

export interface AttemptInQuestion extends DeliveryInQuestion {
  number: number;
  /** Whether the attempt was requested before and deferred. */
  wasPutOff?: boolean;
  /** Whether an operator requested the attempt now, even if it is not due. */
  isWantedNow?: boolean;
}

/**
 * The state of a delivery. It contains only statuses, numbers and times, because it is stored in the workflow's
 * history.
 */
export type DeliveryReport = {
  /** The number of the last attempt. */
  attempts: number;
  /** For operators; built by `outcomeInWords`. */
  lastOutcome: string;
} & (
  | {
      status: 'retrying';
      nextAttemptAt: string;
      /** The remaining time by the database's clock, if the attempt was requested too early. */
      notDueForMs?: number;
    }
  | { status: FinalStatus }
);

/**
 * The result of an attempt. `deferred`: it was not made because a concurrency limit was reached, and nothing is
 * recorded. The workflow asks again when it gets the signal, or after `askAgainMs` (absent from workers of earlier
 * versions). The same while the endpoint is paused, with `isPaused`.
 */
export type AttemptReport =
  | DeliveryReport
  | { status: 'deferred'; attempts: number; askAgainMs?: number; isPaused?: true };

/** `unknown`: the clinic has no such delivery. */
export type FinalStatus = 'succeeded' | 'failed' | 'skipped' | 'unknown';

/** @param tooEarly the next attempt was requested before it is due */
export function reportOn(
  progress: DeliveryProgress | null,
  tooEarly?: { notDueForMs: number },
): DeliveryReport {
  if (!progress) return { status: 'unknown', attempts: 0, lastOutcome: 'none' };
  const { status, nextAttemptAt } = progress;
  const facts = { attempts: progress.attemptCount, lastOutcome: lastOutcome(progress) };
  if (status !== 'pending' && status !== 'retrying') return { ...facts, status };
  if (!nextAttemptAt) throw new Error('an open delivery has no next attempt time');
  return { ...facts, status: 'retrying', nextAttemptAt: nextAttemptAt.toISOString(), ...tooEarly };
}

function lastOutcome({ attemptCount, errorClass, responseStatus }: DeliveryProgress): string {
  if (attemptCount === 0) return 'none';
  return outcomeInWords(errorClass, responseStatus);
}
