import { fieldError } from '../service-error.ts';
import { noShowDueAt, type Timings } from '../timings.ts';
import type { AppointmentStatus, CancellationReason, SettableStatus } from './appointment-status.ts';

/** The statuses that an imported appointment may have. */
export const IMPORTED_STATUSES = ['confirmed', 'attended', 'no_show', 'cancelled'] as const;
export type ImportedStatus = (typeof IMPORTED_STATUSES)[number];

/** The status details of an import item. */
export interface ImportedItemStatus {
  startsAt: Date;
  status?: ImportedStatus | undefined;
  checkedInAt?: Date | undefined;
  reason?: CancellationReason | undefined;
}

/**
 * Checks that the status does not describe something in the future. @throws ServiceError `validation_failed` @param
 * before the stored appointment, because a patient may have been checked in early
 */
export function checkImportedStatus(
  { startsAt, status, checkedInAt, reason }: ImportedItemStatus,
  now: Date,
  before?: { startsAt: Date; status: AppointmentStatus },
): void {
  if (reason !== undefined && status !== 'cancelled') {
    throw fieldError('body.reason', 'is allowed only with `status: cancelled`');
  }
  if (checkedInAt !== undefined && status !== 'attended') {
    throw fieldError('body.checkedInAt', 'is allowed only with `status: attended`');
  }
  const isSoAlready = before?.status === status && before?.startsAt.getTime() === startsAt.getTime();
  if (!isSoAlready && startsAt > now && (status === 'attended' || status === 'no_show')) {
    throw fieldError('body.status', `cannot be ${status} before \`startsAt\``);
  }
  if (checkedInAt !== undefined && checkedInAt > now) {
    throw fieldError('body.checkedInAt', 'must not be in the future');
  }
}

/**
 * The status of an imported or moved appointment. A confirmed appointment far in the past becomes a no-show, but only
 * if events are sent. docs/import.md#status
 * @throws ServiceError `validation_failed` when the status is required
 */
export function statusOnArrival(
  { startsAt, status = 'confirmed' }: ImportedItemStatus,
  { now, timings, isTold }: { now: Date; timings: Timings; isTold: boolean },
): 'confirmed' | SettableStatus {
  if (status !== 'confirmed' || noShowDueAt(startsAt, timings) > now) return status;
  if (isTold) return 'no_show';
  throw fieldError('body.status', 'is required: the appointment has ended, so it cannot be confirmed');
}
