import {
  insertDeliveryAttempt,
  type NewAttempt,
  type RecordedAttempt,
} from '../../db/webhooks/delivery-attempt-rows.ts';
import { findDeliveryProgress } from '../../db/webhooks/delivery-progress.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { judgeHealth } from '../../domain/webhooks/endpoint-health.ts';
import { TEST_EVENT_TYPE, type AnyEventType } from '../../domain/webhooks/event-types.ts';
import { nextAttemptAt } from '../../domain/webhooks/retry-schedule.ts';
import type { Timings } from '../../domain/timings.ts';

export type RecordAttempt = Omit<NewAttempt, 'nextAttemptAt' | 'health'> & {
  eventType: AnyEventType;
  timings: Timings;
};

/**
 * Stores what became of an attempt, with it when the next one is due and what it says about the endpoint's health.
 * Repeating it changes nothing.
 */
export async function recordAttempt(em: EntityManager, attempt: RecordAttempt): Promise<RecordedAttempt> {
  const { eventType, timings, ...row } = attempt;
  const endedAt = new Date(row.startedAt.getTime() + row.durationMs);
  // A test event makes one attempt: docs/webhooks.md#set-up-and-test-an-endpoint
  const delays = eventType === TEST_EVENT_TYPE ? [] : timings.retryDelaysSeconds;
  const dueAt = nextAttemptAt(row.number, endedAt, delays);
  const health = judgeHealth({ ...row, eventType, endedAt, isLast: dueAt === null }, timings);
  const recorded = await insertDeliveryAttempt(em, { ...row, nextAttemptAt: dueAt, health });
  if (recorded) return recorded;
  const progress = await findDeliveryProgress(em, row.tenantId, row.deliveryId);
  if (!progress) throw new Error('a delivery was gone when its attempt was recorded');
  return { ...progress, othersWait: false };
}
