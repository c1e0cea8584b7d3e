import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { DeliveryReport } from '../sending/delivery-report.ts';
import { DELIVERY_ATTEMPT, DELIVERY_STATUS, NEXT_ATTEMPT_AT } from './search-attribute-keys.ts';

/**
 * Tells the operator how a delivery stands. One that succeeds at once costs no search attributes: they are written
 * from the first failure on. Returns whether they have been.
 * @param isNew false when the attributes were set with the start of the workflow
 */
export function showProgress(report: DeliveryReport, { before, isNew }: { before: boolean; isNew: boolean }) {
  if (report.status === 'succeeded' && !before) return false;
  const nextAttemptAt = report.status === 'retrying' ? report.nextAttemptAt : null;
  if (isNew) {
    upsertSearchAttributes([
      { key: DELIVERY_STATUS, value: report.status },
      { key: DELIVERY_ATTEMPT, value: report.attempts },
      { key: NEXT_ATTEMPT_AT, value: nextAttemptAt === null ? null : new Date(nextAttemptAt) },
    ]);
  }
  if (nextAttemptAt !== null) {
    setCurrentDetails(`Attempt ${report.attempts}: ${report.lastOutcome}. Next attempt at ${nextAttemptAt}`);
  }
  return true;
}
