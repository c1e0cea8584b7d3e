import { fieldError } from '../service-error.ts';
import { noShowDueAt, type Timings } from '../timings.ts';
import type { AppointmentStatus, CancellationReason, SettableStatus } from './appointment-status.ts';

/** The statuses that a visit may be brought in with. */
export const IMPORTED_STATUSES = ['confirmed', 'attended', 'no_show', 'cancelled'] as const;
export type ImportedStatus = (typeof IMPORTED_STATUSES)[number];

/** What an item of an import says of how a visit went. */
export interface ImportedItemStatus {
  startsAt: Date;
  status?: ImportedStatus | undefined;
  checkedInAt?: Date | undefined;
  reason?: CancellationReason | undefined;
}

/**
 * Nothing of what has not happened yet. @throws ServiceError `validation_failed`
 * @param before as it is there already: anyone who came before the time may have been checked in
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
 * What a visit that comes in, or moves, is from then on. One that is awaited, and long over, has been missed: that is
 * decided only where receivers learn of it. docs/import.md#status
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
