import { insertDeliveryAttempt, type NewAttempt } from '../db/delivery-attempt-rows.ts';
import { findDeliveryProgress, type DeliveryProgress } from '../db/delivery-progress.ts';
import type { Sql } from '../db/open-database.ts';
import { TEST_EVENT_TYPE, type AnyEventType } from '../domain/event-types.ts';
import { nextAttemptAt } from '../domain/retry-schedule.ts';

export type RecordAttempt = Omit<NewAttempt, 'nextAttemptAt'> & {
  eventType: AnyEventType;
  retryDelaysSeconds: readonly number[];
};

/** Stores what became of an attempt, and with it when the next one is due. Repeating it changes nothing. */
export async function recordAttempt(sql: Sql, attempt: RecordAttempt): Promise<DeliveryProgress> {
  const { eventType, retryDelaysSeconds, ...row } = attempt;
  const endedAt = new Date(row.startedAt.getTime() + row.durationMs);
  // A test event makes one attempt. CONTRACT, "Added endpoints".
  const delays = eventType === TEST_EVENT_TYPE ? [] : retryDelaysSeconds;
  const recorded = await insertDeliveryAttempt(sql, {
    ...row,
    nextAttemptAt: nextAttemptAt(row.number, endedAt, delays),
  });
  const progress = recorded ?? (await findDeliveryProgress(sql, row.tenantId, row.deliveryId));
  if (!progress) throw new Error('a delivery was gone when its attempt was recorded');
  return progress;
}
