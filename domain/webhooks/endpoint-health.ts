import { TEST_EVENT_TYPE, type AnyEventType } from './event-types.ts';
import type { Timings } from '../timings.ts';

/** The minimum time between two mails about a failing endpoint: docs/webhooks.md#notices */
export const FAILING_MAIL_EVERY_SECONDS = 86_400;

/**
 * The effect of an attempt on its endpoint. `fails`: all attempts of an event failed. This counts only if the endpoint
 * has not recovered since `startedAt`.
 */
export type HealthVerdict =
  | { kind: 'corrects'; at: Date }
  | { kind: 'fails'; startedAt: Date; since: Date; deactivateAt: Date };

export interface JudgedAttempt {
  eventType: AnyEventType;
  outcome: 'succeeded' | 'failed';
  startedAt: Date;
  endedAt: Date;
  /** Whether this is the last attempt of the delivery. */
  isLast: boolean;
}

/**
 * The effect of an attempt; null if it has none, as for earlier failures and test events:
 * docs/webhooks.md#when-deliveries-fail
 */
export function judgeHealth(
  attempt: JudgedAttempt,
  timings: Pick<Timings, 'endpointFailingGraceSeconds'>,
): HealthVerdict | null {
  const { eventType, outcome, startedAt, endedAt, isLast } = attempt;
  if (eventType === TEST_EVENT_TYPE) return null;
  if (outcome === 'succeeded') return { kind: 'corrects', at: endedAt };
  if (!isLast) return null;
  const deactivateAt = new Date(endedAt.getTime() + timings.endpointFailingGraceSeconds * 1000);
  return { kind: 'fails', startedAt, since: endedAt, deactivateAt };
}
