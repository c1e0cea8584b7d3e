import { outcomeInWords } from '../domain/webhooks/outcome-in-words.ts';
import type { DeliveryProgress } from '../db/webhooks/deliveries/delivery-progress.ts';

export interface DeliveryInQuestion {
  deliveryId: string;
  clinicId: string;
}

export interface AttemptInQuestion extends DeliveryInQuestion {
  number: number;
  /** It was asked for before, and deferred. */
  wasPutOff?: boolean;
  /** An operator wants it now, whenever it is due. */
  isWantedNow?: boolean;
}

/** How a delivery stands: statuses, numbers and times only, because it enters the workflow's history. */
export type DeliveryReport = {
  /** The number of the last attempt. */
  attempts: number;
  /** For operators, as `outcomeInWords` says it. */
  lastOutcome: string;
} & (
  | {
      status: 'retrying';
      nextAttemptAt: string;
      /** By the database's clock, when the attempt was asked for too early by it. */
      notDueForMs?: number;
    }
  | { status: FinalStatus }
);

/**
 * What an attempt came to. `deferred`: it was not made, because its endpoint or clinic has its share of attempts under
 * way; nothing is recorded, and it is to be asked for again when its workflow is told of room, or after `askAgainMs`, of
 * which workers of earlier versions do not speak.
 */
export type AttemptReport = DeliveryReport | { status: 'deferred'; attempts: number; askAgainMs?: number };

/** `unknown`: the clinic has no such delivery. */
export type FinalStatus = 'succeeded' | 'failed' | 'skipped' | 'unknown';

/** @param tooEarly its next attempt was asked for before it is due */
export function reportOn(
  progress: DeliveryProgress | null,
  tooEarly?: { notDueForMs: number },
): DeliveryReport {
  if (!progress) return { status: 'unknown', attempts: 0, lastOutcome: 'none' };
  const { status, nextAttemptAt } = progress;
  const facts = { attempts: progress.attemptCount, lastOutcome: lastOutcome(progress) };
  if (status !== 'pending' && status !== 'retrying') return { ...facts, status };
  if (!nextAttemptAt) throw new Error('an open delivery has no time for its next attempt');
  return { ...facts, status: 'retrying', nextAttemptAt: nextAttemptAt.toISOString(), ...tooEarly };
}

function lastOutcome({ attemptCount, errorClass, responseStatus }: DeliveryProgress): string {
  if (attemptCount === 0) return 'none';
  return outcomeInWords(errorClass, responseStatus);
}
