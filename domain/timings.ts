import { RETRY_DELAYS_SECONDS } from './webhooks/retry-schedule.ts';

/** Waiting times in seconds. Only a sandbox may change them. */
export interface Timings {
  /** The time from the start (or a later reinstatement) to the no-show: docs/appointments.md#no-show */
  noShowGraceSeconds: number;
  /** The five waits between the six attempts of a delivery: docs/webhooks.md#retries */
  retryDelaysSeconds: readonly number[];
  /** The time from `failing` to `deactivated`: docs/webhooks.md#when-deliveries-fail */
  endpointFailingGraceSeconds: number;
}

export const STANDARD_TIMINGS: Timings = {
  noShowGraceSeconds: 1800,
  retryDelaysSeconds: RETRY_DELAYS_SECONDS,
  endpointFailingGraceSeconds: 86_400,
};

/**
 * When an appointment without a check-in becomes a no-show. @param awaitedFrom see domain/appointments/awaited-from.ts
 */
export function noShowDueAt(awaitedFrom: Date, timings: Timings): Date {
  return new Date(awaitedFrom.getTime() + timings.noShowGraceSeconds * 1000);
}
